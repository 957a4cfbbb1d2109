import { useEffect } from 'preact/hooks';
import { type Loaded, useLoad } from './use-load.ts';

/** Loads, and again `everyMs` after each response, while `everyMs` is given and the page is visible. */
export function usePolling<T>(
  load: (signal: AbortSignal) => Promise<T>,
  deps: readonly unknown[],
  everyMs: number | undefined,
): Loaded<T> {
  const loaded = useLoad(load, deps);
  const { loading, reload } = loaded;
  useEffect(() => {
    if (everyMs === undefined || loading) return;
    const ask = (): void => {
      if (!document.hidden) reload();
    };
    const timer = setTimeout(ask, everyMs);
    // Refresh at once when the user returns to the page.
    document.addEventListener('visibilitychange', ask);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [everyMs, loading, reload]);
  return loaded;
}
