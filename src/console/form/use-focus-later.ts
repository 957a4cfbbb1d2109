import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Focuses an element that exists only after the next render. */
export function useFocusLater(within: RefObject<HTMLElement>): (selector: string) => void {
  const wanted = useRef<string>();
  useEffect(() => {
    if (wanted.current === undefined) return;
    const found = within.current?.querySelector<HTMLElement>(wanted.current);
    // At either end of the list the clicked button is now disabled, so focus the row's other one.
    const usable = found?.matches(':disabled')
      ? found.parentElement?.querySelector<HTMLElement>('button:not(:disabled)')
      : found;
    usable?.focus();
    wanted.current = undefined;
  });
  return (selector) => {
    wanted.current = selector;
  };
}
