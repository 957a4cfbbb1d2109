import type { MediaLeg } from '../../ports/media.ts';
import { TICK_MS } from '../ticker.ts';
import type { FarEnd } from './far-end.ts';
import type { MarkTracker } from './mark-tracker.ts';
import { LEAD_MS, MOVE_LEAD_MS } from './playout-limits.ts';
import type { UtteranceBuffer } from './utterance-buffer.ts';
import type { UtteranceQueue } from './utterance-queue.ts';

/** Carriers take only whole frames. */
const FRAME_MS = 20;
/** How late the answer to a mark may be before the clock is believed. */
const LATE_MARK_MS = 1000;

interface Place {
  readonly uttId: number;
  /** Nothing of the utterance is sent from here on. */
  readonly untilSample: number;
}

/** Where playout stops so that it can be taken up elsewhere: at the end of a word, or of a text without word times. */
export class PlayoutPause {
  /** How far ahead of real time audio is sent at most. */
  readonly leadMs: number;
  readonly #queue: UtteranceQueue;
  readonly #marks: MarkTracker;
  readonly #farEnd: FarEnd;
  readonly #playsOn: boolean;
  readonly #place: Place | undefined;

  constructor(queue: UtteranceQueue, marks: MarkTracker, farEnd: FarEnd, now: number) {
    this.#queue = queue;
    this.#marks = marks;
    this.#farEnd = farEnd;
    this.#playsOn = farEnd.leg?.playsOn ?? false;
    this.leadMs = this.#playsOn ? MOVE_LEAD_MS : LEAD_MS;
    const aheadMs = this.#playsOn ? MOVE_LEAD_MS - farEnd.leadMs(now) : 0;
    this.#place = placeToStop(queue, aheadMs);
    this.mark(farEnd.leg);
  }

  /** How many samples of the current utterance may still be sent; infinite if that is all of it. */
  get left(): number {
    const { current, cursor, upcoming } = this.#queue;
    const place = this.#place;
    if (!current || !place) return 0;
    if (current.uttId !== place.uttId)
      return upcoming.some(({ uttId }) => uttId === place.uttId) ? Number.POSITIVE_INFINITY : 0;
    if (current.ended && place.untilSample >= current.samples) return Number.POSITIVE_INFINITY;
    return Math.max(0, place.untilSample - cursor);
  }

  /** Asks the far end to tell when all before the pause was played. To be called when more was sent. */
  mark(leg: MediaLeg | undefined): void {
    const { current, cursor, cursorMs } = this.#queue;
    if (current && cursor > 0 && this.left === 0)
      leg?.mark(this.#marks.add(current.uttId, cursorMs, false), false);
  }

  /** What was heard: all that was sent before the pause, as far as the clock and the far end tell. */
  heard(now: number, reportedMs: number): 'all' | 'all-by-clock' | 'not-all' {
    const [queue, farEnd] = [this.#queue, this.#farEnd];
    const isKnown = reportedMs >= Math.floor(queue.cursorMs);
    if (!queue.head) return 'all';
    // Where the connection broke, all that counts as sent is what was heard.
    if (!farEnd.leg) return isKnown && !queue.headIsSent ? 'all' : 'all-by-clock';
    if (this.left > 0) return 'not-all';
    if (this.#playsOn) return 'all-by-clock';
    if (queue.headIsSent) return 'not-all';
    if (isKnown) return 'all';
    const lateMs = this.#marks.answered ? LATE_MARK_MS : 5 * TICK_MS;
    return now < farEnd.speechEndAt + lateMs ? 'not-all' : 'all-by-clock';
  }
}

/** The last end of a word that can be sent within so much time, or the next one. */
function placeToStop(queue: UtteranceQueue, aheadMs: number): Place | undefined {
  let [cursor, leftMs] = [queue.cursor, aheadMs];
  const { upcoming } = queue;
  for (const [i, utterance] of upcoming.entries()) {
    const { uttId, sampleRateHz, samples, ended } = utterance;
    const restMs = ((samples - cursor) * 1000) / sampleRateHz;
    if (!ended || restMs > leftMs || !upcoming[i + 1]?.samples)
      return { uttId, untilSample: endOfWord(utterance, cursor, leftMs) };
    leftMs -= restMs;
    cursor = 0;
  }
  return undefined;
}

function endOfWord(utterance: UtteranceBuffer, cursor: number, aheadMs: number): number {
  const { words, sampleRateHz, durationMs } = utterance;
  if (words.length === 0) return cursor === 0 ? 0 : Number.POSITIVE_INFINITY;
  const atMs = (cursor * 1000) / sampleRateHz;
  const untilMs = Math.min(durationMs, atMs + aheadMs);
  const last = words.findLast(({ endMs }) => endMs > atMs && endMs <= untilMs);
  const leftMs = last ? last.endMs - atMs : (utterance.word(atMs)?.leftMs ?? 0);
  const frames = Math.ceil(leftMs / FRAME_MS);
  return cursor + Math.round((frames * FRAME_MS * sampleRateHz) / 1000);
}
