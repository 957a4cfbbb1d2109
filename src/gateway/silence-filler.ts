import type { Clock, Timer } from '../ports/clock.ts';

interface Options {
  readonly clock: Clock;
  readonly sampleRateHz: () => number;
  /** Silence in place of sound that does not come; absent: sound comes all the time. */
  readonly hear?: ((pcm: Int16Array) => void) | undefined;
  /** Silence in place of sound that nobody sends; absent: the line needs none. */
  readonly send?: ((pcm: Int16Array) => void) | undefined;
}

const TICK_MS = 100;
const FRAME_MS = 20;
/** What is late by less comes yet: a hole in the middle of a word would be worse. */
const HEAR_AFTER_MS = 200;
/** The far end's clock is behind ours: what was sent must have been played. */
const SEND_AFTER_MS = 100;
/** Sent ahead of the ear: a tick and what timers are late. */
const SEND_AHEAD_MS = 120;
/** After a stall nothing more is made up for. */
const MOST_MS = 1000;

/**
 * Keeps a telephone line alive in silence. A caller on hold or with silence suppression sends nothing, in which
 * speech would never be seen to end; and a line on which the assistant is silent for seconds is forgotten by
 * carriers and address translators.
 */
export class SilenceFiller {
  readonly #options: Options;
  #timer: Timer | undefined;
  #heardUntil = 0;
  #sentUntil = 0;
  #filledUntil = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  start(): void {
    if (this.#timer !== undefined || !(this.#options.hear || this.#options.send)) return;
    const now = this.#options.clock.now();
    this.#heardUntil = now;
    this.#sentUntil = now;
    this.#arm();
  }

  stop(): void {
    this.#options.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Sound came. */
  heard(): void {
    this.#heardUntil = this.#options.clock.now();
  }

  /** Sound is about to be sent. True: silence that was sent in its place is still to be played. */
  sending(durationMs: number): boolean {
    const now = this.#options.clock.now();
    const isFilled = this.#filledUntil > now;
    this.#filledUntil = 0;
    this.#sentUntil = Math.max(now, this.#sentUntil) + durationMs;
    return isFilled;
  }

  /** The far end dropped all that it had not played. */
  cleared(): void {
    this.#filledUntil = 0;
    this.#sentUntil = this.#options.clock.now();
  }

  #arm(): void {
    this.#timer = this.#options.clock.setTimeout(() => {
      this.#arm();
      this.#fill(this.#options.clock.now());
    }, TICK_MS);
  }

  #fill(now: number): void {
    const { hear, send } = this.#options;
    const unheardMs = now - this.#heardUntil;
    if (hear && unheardMs >= HEAR_AFTER_MS) {
      // From here on tick by tick.
      this.#heardUntil = now - HEAR_AFTER_MS + TICK_MS;
      hear(this.#silence(Math.min(MOST_MS, unheardMs - HEAR_AFTER_MS + TICK_MS)));
    }
    if (send && now - this.#sentUntil >= SEND_AFTER_MS) {
      const from = Math.max(now, this.#filledUntil);
      const lackMs = now + SEND_AHEAD_MS - from;
      // Whole frames of 20 ms: the far end drops what is none.
      const durationMs = lackMs - (lackMs % FRAME_MS);
      if (durationMs <= 0) return;
      this.#filledUntil = from + durationMs;
      send(this.#silence(durationMs));
    }
  }

  #silence(durationMs: number): Int16Array {
    return new Int16Array(Math.round((durationMs * this.#options.sampleRateHz()) / 1000));
  }
}
