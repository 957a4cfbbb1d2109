/** Marks kept at the most; far more than a far end has open. */
const MAX_MARKS = 256;

/**
 * How much of what was sent a far end has played that does not say so itself: by the clock, corrected by
 * how late its marks come back. Pure.
 */
export class PlayedEstimate {
  #sentMs = 0;
  #endAt = 0;
  #reachedMs = 0;
  #lagMs = 0;
  readonly #marks = new Map<string, number>();

  /** Whether marks are still to come back. */
  get awaitsMarks(): boolean {
    return this.#marks.size > 0;
  }

  sent(durationMs: number, now: number): void {
    this.#endAt = Math.max(now, this.#endAt) + durationMs;
    this.#sentMs += durationMs;
  }

  marked(name: string): void {
    this.#marks.set(name, this.#sentMs);
    if (this.#marks.size > MAX_MARKS) this.#marks.delete(this.#marks.keys().next().value as string);
  }

  reached(name: string, now: number): void {
    const positionMs = this.#marks.get(name);
    if (positionMs === undefined) return;
    this.#marks.delete(name);
    this.#reachedMs = positionMs;
    // Half of the delay is the echo's own way back.
    this.#lagMs = Math.max(0, this.#byClock(now) - positionMs) / 2;
  }

  /** What was played since the last clear; the count starts anew. */
  clear(now: number): number {
    const playedMs = Math.max(this.#reachedMs, this.#byClock(now) - this.#lagMs);
    this.#sentMs = 0;
    this.#endAt = 0;
    this.#reachedMs = 0;
    this.#marks.clear();
    return Math.max(0, playedMs);
  }

  #byClock(now: number): number {
    return this.#sentMs - Math.max(0, this.#endAt - now);
  }
}
