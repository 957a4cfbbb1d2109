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

// How long usage, the end marker and the end of the body may trail the answer.
const TAIL_MS = 500;

export type Expiry = 'first_token_timeout' | 'stalled' | 'total_timeout';

/** What the bytes just read were: nothing yet of an answer, a sign of one, or all of it. */
export type Progress = 'none' | 'some' | 'complete';

/**
 * The deadlines of one answer, with one timer. Time runs only while the server is being waited for,
 * so that a reader who takes its time is not mistaken for a server that does.
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

  /** The reader is busy with what came. */
  pause(): void {
    this.#pausedAt = this.#clock.now();
  }

  /** Waiting again, after bytes that brought this much. */
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

  // The timer is not moved at every chunk: when it fires early, it is set again for what is left.
  #check(): void {
    const now = this.#clock.now();
    if (this.#pausedAt !== undefined) {
      // A reader that never comes back must not keep a timer, nor the connection, for ever.
      if (now - this.#pausedAt >= this.#deadlines.totalMs) this.#onExpire('total_timeout');
      else this.#timer = this.#clock.setTimeout(() => this.#check(), this.#deadlines.stallMs);
      return;
    }
    if (now >= this.#totalDueAt) this.#onExpire('total_timeout');
    else if (now >= this.#stepDueAt) this.#onExpire(this.#step);
    else this.#arm();
  }
}
