import type { Window } from './measure.ts';
import type { Gap, Held } from './messages.ts';
import { type Reply, repliesOf } from './summary.ts';

/** Replies that come later than this are followed up, ms. */
const LATE_MS = 10;
/** A piece of work that took less held nobody up. */
const LONG_MS = 2;

/** What a late reply waited for: each cause with the ms of it that lie within the reply's wait. */
export interface LateReply extends Reply {
  readonly waitedFor: Readonly<Record<string, number>>;
  /** What the call's journal says from the final text to the first sound: `ms after the text, kind, type`. */
  readonly journal: readonly string[];
}

const overlapMs = (reply: Reply, endedAt: number, ms: number) =>
  Math.max(0, Math.min(reply.answeredAt, endedAt) - Math.max(reply.from, endedAt - ms));

const gap =
  (by: string) =>
  ({ atMs, ms }: Gap): Held => ({ by, endedAt: atMs, ms });

/** Every late reply of a traced window, the latest first. */
export function lateReplies(window: Window): readonly LateReply[] {
  const { held, callersGaps, vendorsGaps, machineGaps, journals, before } = window;
  const all = [
    ...held.filter(({ ms }) => ms >= LONG_MS),
    ...callersGaps.map(gap('callers')),
    ...vendorsGaps.map(gap('vendors')),
    ...machineGaps.map(gap('machine')),
  ];
  return repliesOf(window)
    .filter(({ latencyMs }) => latencyMs > LATE_MS)
    .sort((a, b) => b.latencyMs - a.latencyMs)
    .map((reply) => {
      const waitedFor: Record<string, number> = {};
      for (const { by, endedAt, ms } of all) {
        const within = overlapMs(reply, endedAt, ms);
        if (within > 0) waitedFor[by] = Math.round(((waitedFor[by] ?? 0) + within) * 10) / 10;
      }
      const journal = journalOf(journals.get(reply.party) ?? '', reply, before.clockOffsetMs);
      return { ...reply, waitedFor, journal };
    });
}

/** The lines from shortly before the text to shortly after the first sound. */
function journalOf(text: string, { from, answeredAt }: Reply, clockOffsetMs: number): string[] {
  let startedAt = 0;
  return text.split('\n').flatMap((line) => {
    if (line === '') return [];
    const { at, kind, type, data } = JSON.parse(line);
    if (type === 'call.created') startedAt = data.startedAt;
    const instant = startedAt + at - clockOffsetMs;
    if (instant < from - 60 || instant > answeredAt + 5) return [];
    return [`${(instant - from).toFixed(0)} ${kind} ${type}`];
  });
}

/** How many late replies each cause was the longest part of, and how much of their waits the causes are. */
export function causesOf(late: readonly LateReply[]) {
  const causes: Record<string, { replies: number; ms: number; longestMs: number }> = {};
  for (const { waitedFor } of late) {
    // A turn of the loop holds all that was done in it: it is the cause where nothing else is known.
    const known = Object.entries(waitedFor).filter(([by]) => by !== 'loop');
    const told = known.length > 0 ? known : Object.entries(waitedFor);
    const [main = 'unknown'] = told.toSorted(([, a], [, b]) => b - a)[0] ?? [];
    causes[main] ??= { replies: 0, ms: 0, longestMs: 0 };
    causes[main].replies++;
    for (const [by, ms] of told) {
      causes[by] ??= { replies: 0, ms: 0, longestMs: 0 };
      causes[by].ms = Math.round(causes[by].ms + ms);
      causes[by].longestMs = Math.max(causes[by].longestMs, ms);
    }
  }
  return causes;
}
