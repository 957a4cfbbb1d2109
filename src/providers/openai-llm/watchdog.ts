import type { Clock, Timer } from '../../ports/clock.ts';

export interface LlmDeadlines {
  /** From the request to the first sign of an answer. @defaultValue 10,000 */
  readonly firstTokenMs: number;
  /** Between two signs of an answer. @defaultValue 5,000 */
  readonly stallMs: number;
  /** For the whole answer. @defaultValue 60,000 */
  readonly totalMs: number;
}

export const LLM_DEADLINES: LlmDeadlines = {
  firstTokenMs: 10_000,
  stallMs: 5_000,
  totalMs: 60_000,
};

// How long usage, the end marker and the end of the body may follow the answer.
const TAIL_MS = 500;

export type Expiry = 'first_token_timeout' | 'stalled' | 'total_timeout';

/** Result of the last bytes: no part of an answer, a part of it, or the end of it. */
export type Progress = 'none' | 'some' | 'complete';

/**
 * The deadlines of one answer, on one timer. Time runs only while waiting for the server, so a slow reader is not
 * mistaken for a slow server.
 */
export class Watchdog {
  readonly #clock: Clock;
  readonly #deadlines: LlmDeadlines;
  readonly #onExpire: (expiry: Expiry) => void;
  #timer: Timer;
  #totalDueAt: number;
  #stepDueAt: number;
  #step: Expiry = 'first_token_timeout';
  #pausedAt: number | undefined;

  constructor(clock: Clock, deadlines: LlmDeadlines, onExpire: (expiry: Expiry) => void) {
    this.#clock = clock;
    this.#deadlines = deadlines;
    this.#onExpire = onExpire;
    this.#totalDueAt = clock.now() + deadlines.totalMs;
    this.#stepDueAt = clock.now() + deadlines.firstTokenMs;
    this.#arm();
  }

  /** The reader is busy with the received data. */
  pause(): void {
    this.#pausedAt = this.#clock.now();
  }

  /** The reader waits again; `progress` describes the bytes it has read. */
  resume(progress: Progress): void {
    const now = this.#clock.now();
    const pausedMs = now - (this.#pausedAt ?? now);
    this.#pausedAt = undefined;
    this.#totalDueAt += pausedMs;
    this.#stepDueAt += pausedMs;
    if (progress === 'none') return;
    this.#step = 'stalled';
    this.#stepDueAt = now + (progress === 'some' ? this.#deadlines.stallMs : TAIL_MS);
    if (progress === 'complete') {
      this.stop();
      this.#arm();
    }
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #arm(): void {
    const dueAt = Math.min(this.#totalDueAt, this.#stepDueAt);
    this.#timer = this.#clock.setTimeout(() => this.#check(), dueAt - this.#clock.now());
  }

  // The timer is not moved for every chunk: when it fires early, it is set again for the remaining time.
  #check(): void {
    const now = this.#clock.now();
    if (this.#pausedAt !== undefined) {
      // A reader that never returns must not keep the timer or the connection for ever.
      if (now - this.#pausedAt >= this.#deadlines.totalMs) this.#onExpire('total_timeout');
      else this.#timer = this.#clock.setTimeout(() => this.#check(), this.#deadlines.stallMs);
      return;
    }
    if (now >= this.#totalDueAt) this.#onExpire('total_timeout');
    else if (now >= this.#stepDueAt) this.#onExpire(this.#step);
    else this.#arm();
  }
}
