import type { CallEvent } from '../../src/engine/machine/events.ts';
import type { MediaLeg } from '../../src/ports/media.ts';
import { Playout } from '../../src/session/outbound/playout.ts';
import { UtteranceBuffer } from '../../src/session/outbound/utterance-buffer.ts';
import { Ticker } from '../../src/session/ticker.ts';
import { ManualClock } from './manual-clock.ts';
import { MemoryLeg } from './memory-leg.ts';

const RATE = 16_000;
const BEGIN = 1000;

interface PlayEvent {
  readonly uttId: number;
  /** Ms since the rig was made. */
  readonly at: number;
  readonly playedMs: number;
}

/** A playout with a far end in memory that answers, or never does; the clock stands at 1000 ms. */
export function playoutRig(answers: boolean, farEnd: Partial<MediaLeg> = {}) {
  const clock = new ManualClock(BEGIN);
  const ticker = new Ticker(clock);
  const events: { readonly at: number; readonly event: CallEvent }[] = [];
  const asked: { readonly name: string; readonly end: boolean }[] = [];
  const leg = Object.assign(new MemoryLeg({ clock, answers }), farEnd);
  const mark = leg.mark.bind(leg);
  leg.mark = (name: string, end?: boolean) => {
    asked.push({ name, end: end === true });
    mark(name);
  };
  const emit = (event: CallEvent) => void events.push({ at: clock.now() - BEGIN, event });
  const playout = new Playout({ clock, ticker, emit });
  leg.onMark = (name) => playout.marked(name);
  leg.onCleared = (playedMs) => playout.cleared(playedMs);
  playout.attach(leg);
  const told = (type: `play.${string}`): readonly PlayEvent[] =>
    events.flatMap(({ at, event }) => {
      if (event.type !== type || !('uttId' in event)) return [];
      const playedMs = 'playedMs' in event ? event.playedMs : Number.NaN;
      return [{ uttId: event.uttId, at, playedMs }];
    });
  const sentMs = () => leg.sent.reduce((sum, { pcm }) => sum + (pcm.length * 1000) / RATE, 0);
  return { clock, ticker, playout, leg, events, asked, told, sentMs };
}

/** An utterance of this length that the voice has delivered whole. */
export function speechOf(
  uttId: number,
  ms: number,
  words: readonly (readonly [startMs: number, endMs: number])[] = [],
): UtteranceBuffer {
  const buffer = new UtteranceBuffer(uttId, RATE);
  buffer.push(soundOf(ms));
  buffer.words.push(...words.map(([startMs, endMs]) => ({ word: 'word', startMs, endMs })));
  buffer.ended = true;
  return buffer;
}

export const soundOf = (ms: number) => new Int16Array((ms * RATE) / 1000).fill(1000);
