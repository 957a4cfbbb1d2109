import type { CallState, Numbered } from '../state/call-state.ts';

/** The next number of a kind. */
export function nextId({ counters }: CallState, kind: Numbered): number {
  const number = (counters[kind] ?? 0) + 1;
  counters[kind] = number;
  return number;
}
