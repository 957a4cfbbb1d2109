import type { Clock, Timer } from '../ports/clock.ts';

interface Options {
  readonly clock: Clock;
  readonly sampleRateHz: () => number;
  /** Receives silence in place of audio that does not arrive. Absent: the carrier sends audio all the time. */
  readonly hear?: ((pcm: Int16Array) => void) | undefined;
  /** Sends silence while nothing else is sent. Absent: the line needs none. */
  readonly send?: ((pcm: Int16Array) => void) | undefined;
}

const TICK_MS = 100;
const FRAME_MS = 20;
/** Audio that is less late may still arrive; a gap in the middle of a word would be worse. */
const HEAR_AFTER_MS = 200;
/** The far end's clock lags behind ours: the audio sent before must have been played. */
const SEND_AFTER_MS = 100;
/** How far silence is sent ahead: one tick plus timer delay. */
const SEND_AHEAD_MS = 120;
/** Most silence filled in after a stall. */
const MOST_MS = 1000;

/**
 * Fills in silence on a telephone line. A caller on hold or with silence suppression sends no audio, which would hide
 * the end of speech; carriers and NATs drop a line on which the assistant is silent for seconds.
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

  /** Audio arrived. */
  heard(): void {
    this.#heardUntil = this.#options.clock.now();
  }

  /** Call before sending audio. True if filled-in silence has not been played yet. */
  sending(durationMs: number): boolean {
    const now = this.#options.clock.now();
    const isFilled = this.#filledUntil > now;
    this.#filledUntil = 0;
    this.#sentUntil = Math.max(now, this.#sentUntil) + durationMs;
    return isFilled;
  }

  /** The far end dropped all unplayed audio. */
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
      // From here on one tick at a time.
      this.#heardUntil = now - HEAR_AFTER_MS + TICK_MS;
      hear(this.#silence(Math.min(MOST_MS, unheardMs - HEAR_AFTER_MS + TICK_MS)));
    }
    if (send && now - this.#sentUntil >= SEND_AFTER_MS) {
      const from = Math.max(now, this.#filledUntil);
      const lackMs = now + SEND_AHEAD_MS - from;
      // Whole frames of 20 ms: the far end drops anything else.
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
