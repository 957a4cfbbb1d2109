import type { CallInstants } from '../calls/call-instants.ts';
import type { Span } from '../calls/measure.ts';
import type { Gap } from '../calls/messages.ts';

/** A reply that is held falls silent by intent; so long before the sound goes on, at most. */
const DECIDED_MS = 200;

/**
 * Pauses between frames of a reply, ms, the longest first. Those that the call decided on are none, and what the
 * callers' process itself stood still meanwhile is taken off: its clock and the machine's are the same.
 */
export function gapsOf(
  { lines, callersGaps }: Pick<Span, 'lines' | 'callersGaps'>,
  instants: Readonly<Record<string, CallInstants>>,
): readonly number[] {
  return lines
    .flatMap(({ party, gaps }) => {
      const { holds = [], clears = [] } = instants[party] ?? {};
      const decided = [...holds, ...clears];
      return gaps
        .filter(({ atMs, ms }) => !decided.some((at) => at > atMs - ms - DECIDED_MS && at < atMs))
        .map((gap) => Math.max(0, gap.ms - overlapMs(gap, callersGaps)));
    })
    .sort((a, b) => b - a);
}

function overlapMs(gap: Gap, others: readonly Gap[]): number {
  return others.reduce((sum, other) => {
    const from = Math.max(gap.atMs - gap.ms, other.atMs - other.ms);
    return sum + Math.max(0, Math.min(gap.atMs, other.atMs) - from);
  }, 0);
}
