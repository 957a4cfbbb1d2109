import { constants, type PerformanceNodeEntry, PerformanceObserver } from 'node:perf_hooks';

const KINDS = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'gc-minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'gc-major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'gc-incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'gc-callbacks',
} as const;
type CollectionKind = (typeof KINDS)[number];

/**
 * Calls `listener` after each collection of this thread's heap with how long the thread stood still for it, ms, until the
 * returned function is called.
 */
export function onCollection(listener: (kind: CollectionKind, tookMs: number) => void): () => void {
  const observer = new PerformanceObserver((list) => {
    for (const { detail, duration } of list.getEntries() as PerformanceNodeEntry[]) {
      const kind = KINDS[(detail as { readonly kind: number }).kind];
      if (kind) listener(kind, duration);
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => observer.disconnect();
}
