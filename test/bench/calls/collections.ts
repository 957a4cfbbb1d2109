import { constants, type PerformanceNodeEntry, PerformanceObserver } from 'node:perf_hooks';
import { monotonicMs } from './messages.ts';

const KINDS: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'callbacks',
};

/** The machine's monotonic ms of an instant of this process's own clock. */
export const monotonicAt = (ownMs: number): number => ownMs - performance.now() + monotonicMs();

/** Tells of every collection of this thread, a little later; the function that comes back ends that. */
export function watchCollections(
  note: (kind: string, ms: number, endedAt: number) => void,
): () => void {
  const observer = new PerformanceObserver((list) => {
    for (const { detail, duration, startTime } of list.getEntries() as PerformanceNodeEntry[]) {
      const kind = KINDS[(detail as { kind: number }).kind] ?? 'other';
      note(kind, duration, monotonicAt(startTime + duration));
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => observer.disconnect();
}
