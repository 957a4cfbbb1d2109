import type { CallEvent } from '../../engine/machine/events.ts';
import type { JournalLine } from '../../ports/journal.ts';

/** One stretch of the caller's sound, or a key, a typed line or the hang-up, with the events that report it. */
export interface CallerAct {
  /** ms since the call was created. */
  readonly from: number;
  readonly to: number;
  readonly kind: 'speech' | 'sound' | 'key' | 'typed' | 'hang-up';
  /** In their order; `at` is the instant of the recorded call. */
  readonly events: readonly ActEvent[];
}

interface ActEvent {
  readonly seq: number;
  readonly at: number;
  readonly event: CallEvent;
}

interface Stretch {
  from: number;
  to: number;
  readonly segments: Set<string>;
  readonly events: ActEvent[];
  hasWords: boolean;
}

const INSTANT = { dtmf: 'key', typed: 'typed', 'remote.hangup': 'hang-up' } as const;

/** Voice activity has a doubt at most this long before the onset that it then reports. */
const DOUBT_MS = 250;

export const isOfCaller = (type: string): boolean =>
  type.startsWith('vad.') || /^stt\.(interim|final|eot)$/.test(type) || type in INSTANT;

/** What the caller did, in the order in which it began. */
export function callerActs(lines: readonly JournalLine[]): readonly CallerAct[] {
  const events = lines
    .filter(({ kind, type }) => kind === 'event' && isOfCaller(type))
    .map(({ seq, at, type, data }) => ({ seq, at, event: { ...data, type } as CallEvent }));
  const stretches = stretchesOf(events);
  const rest: CallerAct[] = [];
  for (const each of events) {
    const { at, event } = each;
    if (event.type in INSTANT) {
      const kind = INSTANT[event.type as keyof typeof INSTANT];
      rest.push({ from: at, to: at, kind, events: [each] });
    } else ownerOf(each, stretches)?.events.push(each);
  }
  const speech = stretches.map(
    ({ from, to, hasWords, events: own }): CallerAct => ({
      from,
      to,
      kind: hasWords ? 'speech' : 'sound',
      events: own.toSorted((a, b) => a.seq - b.seq),
    }),
  );
  return [...speech, ...rest].toSorted((a, b) => a.from - b.from);
}

/** Voices and segments of text; those that overlap, or are of one segment, are one stretch. */
function stretchesOf(events: readonly ActEvent[]): Stretch[] {
  const found: Stretch[] = [];
  let voice: Stretch | undefined;
  const segments = new Map<string, Stretch>();
  const begin = (from: number, to: number): Stretch => {
    const stretch = { from, to, segments: new Set<string>(), events: [], hasWords: false };
    found.push(stretch);
    return stretch;
  };
  for (const { at, event } of events) {
    if (event.type === 'vad.start') voice = begin(event.onsetAt, at);
    else if (event.type === 'vad.stop') {
      if (voice) voice.to = Math.max(voice.from, event.speechEndAt);
      voice = undefined;
    } else if (event.type === 'vad.alive' && voice) voice.to = Math.max(voice.to, at);
    else if (event.type === 'stt.interim' || event.type === 'stt.final') {
      const segment = segments.get(event.segId) ?? begin(event.startAt, event.endAt);
      segments.set(event.segId, segment);
      segment.segments.add(event.segId);
      segment.from = Math.min(segment.from, event.startAt);
      segment.to = Math.max(segment.to, event.endAt);
      segment.hasWords ||= event.text.trim() !== '';
    }
  }
  return merged(found);
}

function merged(stretches: readonly Stretch[]): Stretch[] {
  const result: Stretch[] = [];
  for (const next of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (!last || next.from >= last.to) {
      result.push(next);
      continue;
    }
    last.to = Math.max(last.to, next.to);
    last.hasWords ||= next.hasWords;
    for (const segment of next.segments) last.segments.add(segment);
  }
  return result;
}

function ownerOf({ at, event }: ActEvent, stretches: readonly Stretch[]): Stretch | undefined {
  switch (event.type) {
    case 'stt.interim':
    case 'stt.final':
      return stretches.find(({ segments }) => segments.has(event.segId));
    case 'vad.start':
      return stretches.find(({ from, to }) => from <= event.onsetAt && event.onsetAt <= to);
    case 'vad.maybe':
      return stretches.find(
        ({ from, to }) => from - DOUBT_MS <= at && at <= Math.max(to, from + DOUBT_MS),
      );
    default:
      return stretches.findLast(({ from }) => from <= at);
  }
}

/** The same event as it would have been reported `ms` later, of the `nth` time that it was said. */
export function shifted(event: CallEvent, ms: number, nth = 0): CallEvent {
  switch (event.type) {
    case 'vad.start':
      return { ...event, onsetAt: Math.max(0, event.onsetAt + ms) };
    case 'vad.level':
      return { ...event, sinceAt: Math.max(0, event.sinceAt + ms) };
    case 'vad.stop':
      return { ...event, speechEndAt: Math.max(0, event.speechEndAt + ms) };
    case 'stt.interim':
    case 'stt.final':
      return {
        ...event,
        segId: nth === 0 ? event.segId : `${event.segId}~${nth}`,
        startAt: Math.max(0, event.startAt + ms),
        endAt: Math.max(0, event.endAt + ms),
      };
    default:
      return event;
  }
}
