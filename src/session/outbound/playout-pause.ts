import type { MediaLeg } from '../../ports/media.ts';
import { TICK_MS } from '../ticker.ts';
import type { FarEnd } from './far-end.ts';
import type { MarkTracker } from './mark-tracker.ts';
import type { UtteranceBuffer } from './utterance-buffer.ts';
import type { UtteranceQueue } from './utterance-queue.ts';

/** Carriers take only whole frames. */
const FRAME_MS = 20;
/** How late the answer to a mark may be before the clock is believed. */
const LATE_MARK_MS = 1000;

/** Where playout stops so that it can be taken up elsewhere: at the end of a word, or of a text without word times. */
export class PlayoutPause {
  readonly #queue: UtteranceQueue;
  readonly #marks: MarkTracker;
  readonly #farEnd: FarEnd;
  readonly #uttId: number | undefined;
  /** Nothing of the utterance is sent from here on. */
  readonly #untilSample: number;

  constructor(queue: UtteranceQueue, marks: MarkTracker, farEnd: FarEnd) {
    this.#queue = queue;
    this.#marks = marks;
    this.#farEnd = farEnd;
    this.#uttId = queue.current?.uttId;
    this.#untilSample = queue.current ? endOfWord(queue.current, queue.cursor) : 0;
    this.mark(farEnd.leg);
  }

  /** How many samples of the current utterance may still be sent; infinite if that is all of it. */
  get left(): number {
    const { current, cursor } = this.#queue;
    if (current?.uttId !== this.#uttId) return 0;
    if (current?.ended && this.#untilSample >= current.samples) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#untilSample - cursor);
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
    const isKnown = queue.cursor === 0 || reportedMs >= Math.floor(queue.cursorMs);
    if (!queue.head) return 'all';
    // Where the connection broke, all that counts as sent is what was heard.
    if (!farEnd.leg) return isKnown || queue.headIsSent ? 'all' : 'all-by-clock';
    if (queue.headIsSent || this.left > 0) return 'not-all';
    if (isKnown) return 'all';
    const lateMs = this.#marks.answered ? LATE_MARK_MS : 5 * TICK_MS;
    return now < farEnd.speechEndAt + lateMs ? 'not-all' : 'all-by-clock';
  }
}

function endOfWord({ words, sampleRateHz }: UtteranceBuffer, cursor: number): number {
  if (cursor === 0) return 0;
  if (words.length === 0) return Number.POSITIVE_INFINITY;
  const atMs = (cursor * 1000) / sampleRateHz;
  const word = words.find(({ startMs, endMs }) => startMs < atMs && atMs < endMs);
  const frames = word ? Math.ceil((word.endMs - atMs) / FRAME_MS) : 0;
  return cursor + Math.round((frames * FRAME_MS * sampleRateHz) / 1000);
}
