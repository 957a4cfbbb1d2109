import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** On coming to another page, starts it at its top and moves the focus to its title, as soon as that is there. */
export function useTitleFocus(main: RefObject<HTMLElement>, path: string): void {
  const last = useRef(path);
  useEffect(() => {
    const page = main.current;
    // The first page is the browser's own to announce.
    if (!page || last.current === path) return;
    last.current = path;
    page.scrollTop = 0;
    const focusTitle = (): boolean => {
      const title = page.querySelector<HTMLElement>('#page-title');
      if (!title) return false;
      // A page that opens with a field keeps its focus there.
      if (!page.contains(document.activeElement) || document.activeElement === page) title.focus();
      return true;
    };
    if (focusTitle()) return;
    const watch = new MutationObserver(() => focusTitle() && watch.disconnect());
    watch.observe(page, { childList: true, subtree: true });
    return () => watch.disconnect();
  }, [path]);
}
