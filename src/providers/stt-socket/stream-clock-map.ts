interface Span {
  readonly sentFromMs: number;
  readonly writtenFromMs: number;
  /** Filler silence: it advances the vendor's time, but not the written audio. */
  readonly filler: boolean;
}

const MAX_SPANS = 64;

/** Maps the time of one connection, counted in sent audio, to the time of the written audio. */
export class StreamClockMap {
  #spans: Span[] = [];
  #sentMs = 0;
  #writtenMs = 0;

  get sentMs(): number {
    return this.#sentMs;
  }

  audio(writtenFromMs: number, durationMs: number): void {
    const last = this.#spans.at(-1);
    if (!last || last.filler || Math.abs(writtenFromMs - this.#writtenMs) > 0.01)
      this.#begin(writtenFromMs, false);
    this.#sentMs += durationMs;
    this.#writtenMs = writtenFromMs + durationMs;
  }

  filler(durationMs: number): void {
    if (this.#spans.at(-1)?.filler !== true) this.#begin(this.#writtenMs, true);
    this.#sentMs += durationMs;
  }

  /** The position in the written audio at this time of the connection. */
  writtenAt(sentMs: number): number {
    for (let i = this.#spans.length - 1; i >= 0; i--) {
      const span = this.#spans[i] as Span;
      if (sentMs < span.sentFromMs && i > 0) continue;
      if (span.filler) return span.writtenFromMs;
      const writtenMs = span.writtenFromMs + Math.max(0, sentMs - span.sentFromMs);
      return Math.min(writtenMs, this.#writtenMs);
    }
    return this.#writtenMs;
  }

  #begin(writtenFromMs: number, filler: boolean): void {
    this.#spans.push({ sentFromMs: this.#sentMs, writtenFromMs, filler });
    if (this.#spans.length > MAX_SPANS) this.#spans.shift();
  }
}
