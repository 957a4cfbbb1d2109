import type { Window } from './measure.ts';

const round = (value: number, digits = 2) => Number(value.toFixed(digits));

export function tail(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (q: number) =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0);
  return { n: sorted.length, p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1) };
}

const LATE_MS = 20;
/** An answer that took longer belongs to another question. */
const MAX_REPLY_MS = 1000;

/** The caller's voice is known of so much later than the text that it belongs to. */
const VOICE_MS = 50;
/** Journals count in whole ms. */
const JOURNAL_MS = 1;

/**
 * From the recogniser's final text on the wire to the first audio at the caller, ms, without what the vendors took:
 * they answer at once. What the call decided on is no latency: a caller who goes on speaking is not answered over, and
 * where a rule of turn-taking waits longer, the end of that wait counts instead of the text.
 */
export function replyLatencies({
  lines,
  finals,
  instants,
}: Pick<Window, 'lines' | 'finals' | 'instants'>): number[] {
  const answers = new Map(lines.map(({ party, replyAt }) => [party, replyAt]));
  return finals.flatMap(({ party, atMs, ownMs }) => {
    const answeredAt = answers.get(party)?.find((replyAt) => replyAt >= atMs);
    if (answeredAt === undefined || answeredAt - atMs > MAX_REPLY_MS) return [];
    const { voices = [], waited = [] } = instants[party] ?? {};
    const speaks = voices.some(
      ({ from, to }) => to - JOURNAL_MS > atMs && from <= answeredAt + VOICE_MS,
    );
    if (speaks) return [];
    const from = waited.findLast((at) => at - JOURNAL_MS <= answeredAt) ?? 0;
    return [Math.max(0, answeredAt - Math.max(atMs, from) - ownMs)];
  });
}

/** A clear that comes later is of another decision. */
const MAX_CLEAR_MS = 500;

/**
 * From the decision to fall silent to the clear at the caller, ms; whole ones, rounded up. Where a reply is only
 * held, the end of a word is waited for: that is no latency either.
 */
function clearLatencies({ lines, instants }: Window): number[] {
  return lines.flatMap(({ party, clearAt }) =>
    clearAt.flatMap((at) => {
      const { clears = [], holds = [] } = instants[party] ?? {};
      const before = (decided: number) => decided - JOURNAL_MS <= at;
      const from = clears.findLast(before);
      const isHold = (holds.findLast(before) ?? 0) > (from ?? 0);
      if (from === undefined || isHold || at - from > MAX_CLEAR_MS) return [];
      return [Math.max(0, at - from)];
    }),
  );
}

export function counted(reasons: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

/** The figures of one window. */
export function summarize(window: Window) {
  const { calls, idle, talking, after, lines } = window;
  const lateness = lines.flatMap(({ latenessMs }) => latenessMs);
  const framesSent = lines.reduce((sum, line) => sum + line.framesSent, 0);
  const perCall = (bytes: number) => round(bytes / calls / 1024, 0);
  return {
    calls,
    seconds: round(window.seconds, 1),
    cpuMsPerCallSecond: round(window.cpuMsPerCallSecond, 3),
    mainThreadMsPerCallSecond: round(window.mainThreadMsPerCallSecond, 3),
    threadsMsPerCallSecond: Object.fromEntries(
      Object.entries(window.threadsMsPerCallSecond).map(([name, ms]) => [name, round(ms, 3)]),
    ),
    cores: window.cores,
    framesInPerSecond: round(framesSent / window.seconds / calls, 1),
    latenessMs: tail(lateness),
    lateFramesPercent: round(
      (100 * lateness.filter((ms) => ms > LATE_MS).length) / Math.max(1, lateness.length),
      3,
    ),
    replyMs: tail(replyLatencies(window)),
    questions: window.finals.length,
    loopDelayMs: after.loopDelayMs,
    liveKiBPerCall: perCall(
      talking.heapBytes + talking.externalBytes - idle.heapBytes - idle.externalBytes,
    ),
    rssKiBPerCall: perCall(after.rssBytes - idle.rssBytes),
    collections: after.collections,
    callersDelayMs: tail(window.callersDelayMs),
    clearMs: tail(clearLatencies(window)),
    lost: counted(lines.flatMap(({ lost }) => (lost === undefined ? [] : [lost]))),
    refused: counted(window.refused),
  };
}

export type Summary = ReturnType<typeof summarize>;
