import type { Gap } from './messages.ts';

/** How much of the time from one instant to another lies in any of the gaps, ms; where they overlap, once. */
export function standstillMs(from: number, to: number, gaps: readonly Gap[]): number {
  const within = gaps
    .map(({ atMs, ms }) => ({ from: Math.max(from, atMs - ms), to: Math.min(to, atMs) }))
    .filter((part) => part.to > part.from)
    .sort((a, b) => a.from - b.from);
  let sum = 0;
  let counted = from;
  for (const part of within) {
    sum += Math.max(0, part.to - Math.max(counted, part.from));
    counted = Math.max(counted, part.to);
  }
  return sum;
}
