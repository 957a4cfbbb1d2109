import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** On navigation, scrolls to the top and focuses the new page's title as soon as it is rendered. */
export function useTitleFocus(main: RefObject<HTMLElement>, path: string): void {
  const last = useRef(path);
  useEffect(() => {
    const page = main.current;
    // The browser itself announces the first page.
    if (!page || last.current === path) return;
    last.current = path;
    page.scrollTop = 0;
    const focusTitle = (): boolean => {
      const title = page.querySelector<HTMLElement>('#page-title');
      if (!title) return false;
      // A page that focuses one of its fields keeps that focus.
      if (!page.contains(document.activeElement) || document.activeElement === page) title.focus();
      return true;
    };
    if (focusTitle()) return;
    const watch = new MutationObserver(() => focusTitle() && watch.disconnect());
    watch.observe(page, { childList: true, subtree: true });
    return () => watch.disconnect();
  }, [path]);
}
