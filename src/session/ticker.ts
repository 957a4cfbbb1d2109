import { loopRecorder } from '../lib/loop-recorder.ts';
import type { Clock, Timer } from '../ports/clock.ts';

export const TICK_MS = 20;

/**
 * One 20 ms tick for all calls of the process. Ticks are due on a fixed grid: after a late one comes the next grid
 * point, so lateness never adds up. Without listeners no timer runs.
 */
export class Ticker {
  readonly #clock: Clock;
  readonly #listeners = new Set<(nowMs: number) => void>();
  #timer: Timer | undefined;
  #nextDue = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#listeners.size;
  }

  /** Calls `listener` on every tick until the returned function is called. */
  subscribe(listener: (nowMs: number) => void): () => void {
    this.#listeners.add(listener);
    if (this.#timer === undefined) {
      this.#nextDue = this.#clock.now() + TICK_MS;
      this.#arm();
    }
    return () => this.#unsubscribe(listener);
  }

  #unsubscribe(listener: (nowMs: number) => void): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0 || this.#timer === undefined) return;
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #arm(): void {
    this.#timer = this.#clock.setTimeout(
      () => this.#tick(),
      Math.max(0, this.#nextDue - this.#clock.now()),
    );
  }

  #tick(): void {
    const now = this.#clock.now();
    loopRecorder.hold('playout', () => {
      for (const listener of this.#listeners) listener(now);
    });
    if (this.#listeners.size === 0) {
      this.#timer = undefined;
      return;
    }
    const missed = Math.max(0, Math.floor((now - this.#nextDue) / TICK_MS));
    this.#nextDue += (missed + 1) * TICK_MS;
    this.#arm();
  }
}
