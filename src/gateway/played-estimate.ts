/** Maximum number of pending marks; a far end has far fewer. */
const MAX_MARKS = 256;

/**
 * Estimates how much of the sent audio has been played, for far ends that do not report it: by the clock, corrected
 * by the delay of their marks. Pure.
 */
export class PlayedEstimate {
  #sentMs = 0;
  #endAt = 0;
  #reachedMs = 0;
  #lagMs = 0;
  readonly #marks = new Map<string, number>();

  /** True while marks are pending. */
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
    // Half of the delay is the mark's own way back.
    this.#lagMs = Math.max(0, this.#byClock(now) - positionMs) / 2;
  }

  /** Returns the audio played since the last clear, in ms, and restarts the count. */
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
