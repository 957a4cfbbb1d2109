import { useEffect } from 'preact/hooks';
import { type Loaded, useLoad } from './use-load.ts';

/** Loads, and asks again some time after each answer while `everyMs` is given and the page is looked at. */
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
    // Whoever comes back wants to see what is, not what was.
    document.addEventListener('visibilitychange', ask);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [everyMs, loading, reload]);
  return loaded;
}
