import type { Voice } from './call-instants.ts';
import type { Window } from './measure.ts';
import { standstillMs } from './standstill.ts';

const round = (value: number, digits = 2) => Number(value.toFixed(digits));

export function tail(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (q: number) =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0);
  return { n: sorted.length, p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1) };
}

const LATE_MS = 20;
/** An answer that took longer belongs to another question: each caller asks one every five seconds or less often. */
const MAX_REPLY_MS = 3000;

/** The caller's voice is known of so much later than the text that it belongs to. */
const VOICE_MS = 50;
/** Journals count in whole ms, those that are over: half of one is lost on average. */
const JOURNAL_MS = 1;
const LOST_MS = JOURNAL_MS / 2;

type GapsOf = 'callersGaps' | 'vendorsGaps' | 'machineGaps';

/** One answer of the assistant. Instants are the machine's monotonic ms. */
export interface Reply {
  readonly party: string;
  /** When there was nothing left to wait for but the answer. */
  readonly from: number;
  /** First audio at the caller. */
  readonly answeredAt: number;
  /** Without what the vendors took. */
  readonly latencyMs: number;
  /** How long the bench's own processes or the machine stood still meanwhile. */
  readonly standstillMs: number;
  /** From when to when the vendors worked on this reply: first the model, then the voice. */
  readonly vendors: Window['finals'][number]['own'];
}

/**
 * From the instant at which nothing was left to wait for to the first audio at the caller, ms, without what the vendors
 * took: they answer at once. That instant is the latest of the recogniser's final text on the wire, the end of the
 * caller's voice, which is known a little after the text has been asked for, and the end of a wait that a rule of
 * turn-taking asked for. A caller who goes on speaking is not answered over: that is no latency.
 */
export function repliesOf({
  lines,
  finals,
  instants,
  callersGaps,
  vendorsGaps,
  machineGaps,
}: Pick<Window, 'lines' | 'finals' | 'instants' | GapsOf>): Reply[] {
  const gaps = [...callersGaps, ...vendorsGaps, ...machineGaps];
  const texts = Map.groupBy(finals, ({ party }) => party);
  return lines.flatMap(({ party, replyAt }) =>
    replyAt.flatMap((answeredAt) => {
      const final = texts.get(party)?.findLast(({ atMs }) => atMs <= answeredAt);
      if (final === undefined) return [];
      const { voices = [], waited = [] } = instants[party] ?? {};
      const isOver = ({ to }: Voice) => to - JOURNAL_MS <= answeredAt;
      const speaks = voices.some(
        (voice) =>
          voice.from <= answeredAt + VOICE_MS &&
          voice.to - JOURNAL_MS > final.atMs &&
          (voice.from > final.atMs || !isOver(voice)),
      );
      if (speaks) return [];
      const voiceEndAt = (voices.findLast(isOver)?.to ?? 0) + LOST_MS;
      const waitEndAt = waited.findLast((at) => at - JOURNAL_MS <= answeredAt) ?? 0;
      const from = Math.max(final.atMs, Math.min(answeredAt, Math.max(voiceEndAt, waitEndAt)));
      if (answeredAt - from > MAX_REPLY_MS) return [];
      const vendorsMs = final.own.reduce(
        (sum, own) => sum + Math.max(0, own.to - Math.max(own.from, from)),
        0,
      );
      const latencyMs = Math.max(0, answeredAt - from - vendorsMs);
      const stoodMs = standstillMs(from, answeredAt, gaps);
      const timing = { from, answeredAt, latencyMs, standstillMs: Math.min(stoodMs, latencyMs) };
      return [{ party, ...timing, vendors: final.own }];
    }),
  );
}

export const replyLatencies = (window: Parameters<typeof repliesOf>[0]): number[] =>
  repliesOf(window).map(({ latencyMs }) => latencyMs);

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
  const replies = repliesOf(window);
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
    coreByCore: window.coreByCore,
    framesInPerSecond: round(framesSent / window.seconds / calls, 1),
    latenessMs: tail(lateness),
    lateFramesPercent: round(
      (100 * lateness.filter((ms) => ms > LATE_MS).length) / Math.max(1, lateness.length),
      3,
    ),
    replyMs: tail(replies.map(({ latencyMs }) => latencyMs)),
    replyOwnMs: tail(replies.map((reply) => reply.latencyMs - reply.standstillMs)),
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
