import { setFlagsFromString } from 'node:v8';

/**
 * When V8 looks through the whole heap: it may double in between, and is begun with when so much of that is used, in
 * percent. By itself V8 allows less, and begins as soon as one more young generation would not fit, which with a
 * hundred calls is once a second, on threads that take the cores from the calls.
 */
export const FULL_COLLECTION = [
  '--incremental-marking-soft-trigger=30',
  '--incremental-marking-hard-trigger=50',
  '--heap-growing-percent=100',
];

/** The same, but begun with as soon as anything has been added. */
export const EARLY_COLLECTION = ['--incremental-marking-soft-trigger=1'];

/**
 * Whether collections also empty pages of which a fifth is free, and give back what is free within the others, as V8 does
 * for processes that are to be small (`GCFlagsForIncrementalMarking`, `ComputeEvacuationHeuristics`): else only pages of
 * which most is free. For one collection: V8 would go on by itself.
 */
export const compaction = (isOn: boolean): readonly string[] => [
  isOn ? '--optimize-for-size' : '--no-optimize-for-size',
];

export function setFlags(flags: readonly string[]): void {
  for (const flag of flags) setFlagsFromString(flag);
}
