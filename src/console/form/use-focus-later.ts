import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Gives the focus to what is only there once a change has been drawn. */
export function useFocusLater(within: RefObject<HTMLElement>): (selector: string) => void {
  const wanted = useRef<string>();
  useEffect(() => {
    if (wanted.current === undefined) return;
    const found = within.current?.querySelector<HTMLElement>(wanted.current);
    // At either end the button that was pressed is spent: its row's other one takes over.
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
