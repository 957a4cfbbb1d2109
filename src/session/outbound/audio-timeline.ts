const GAP_MS = 200;

/**
 * Maps positions in a stream of live audio to clock instants. Audio arrives with jitter, so the earliest
 * arrival seen fixes the mapping; a real gap (the far end stopped sending) moves it.
 */
export class AudioTimeline {
  #positionMs = 0;
  // Always a number, which the field holds itself: a value of two types would be put on the heap with every frame.
  #anchorMs = Number.NaN;

  /** Audio noted so far. */
  get positionMs(): number {
    return this.#positionMs;
  }

  /** Notes audio of this length that ended, i.e. was spoken up to, at `arrivedAt` at the latest. */
  advance(durationMs: number, arrivedAt: number): void {
    this.#positionMs += durationMs;
    const anchor = arrivedAt - this.#positionMs;
    if (
      Number.isNaN(this.#anchorMs) ||
      anchor < this.#anchorMs ||
      anchor - this.#anchorMs > GAP_MS
    ) {
      this.#anchorMs = anchor;
    }
  }

  /** The clock instant at which this position of the stream was spoken. */
  clockAt(positionMs: number): number {
    return (Number.isNaN(this.#anchorMs) ? 0 : this.#anchorMs) + positionMs;
  }
}
