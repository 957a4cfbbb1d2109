const GAP_MS = 200;

/**
 * Maps positions in a stream of live audio to clock instants. Audio arrives with jitter, so the earliest arrival
 * defines the mapping; a real gap (the far end stopped sending) moves it.
 */
export class AudioTimeline {
  #positionMs = 0;
  // NaN rather than undefined: V8 stores a field that is always a number in place, without allocating for each frame.
  #anchorMs = Number.NaN;

  /** Length of the audio so far. */
  get positionMs(): number {
    return this.#positionMs;
  }

  /** Adds audio of this length whose last sample was spoken at `arrivedAt` at the latest. */
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
