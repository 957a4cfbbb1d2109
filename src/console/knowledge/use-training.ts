import { useEffect, useRef, useState } from 'preact/hooks';
import type { Loaded } from '../use-load.ts';
import { usePolling } from '../use-polling.ts';
import { pollAfterMs } from './training-status.ts';

/** Loads, and polls while training is in progress; less often the longer it takes. */
export function useTraining<T>(
  load: (signal: AbortSignal) => Promise<T>,
  deps: readonly unknown[],
  isUnderway: (data: T) => boolean,
): Loaded<T> {
  const asked = useRef(0);
  const [everyMs, setEveryMs] = useState<number>();
  const loaded = usePolling(load, deps, everyMs);
  const { data, error } = loaded;
  const underway = data !== undefined && isUnderway(data);
  useEffect(() => {
    asked.current = underway ? asked.current + 1 : 0;
    setEveryMs(underway ? pollAfterMs(asked.current - 1) : undefined);
  }, [data, error, underway]);
  return loaded;
}
