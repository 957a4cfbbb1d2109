const WINDOW = 200;

/** The most recent latencies of a vendor. */
export class LatencyWindow {
  readonly #minSamples: number;
  readonly #samples: number[] = [];
  #next = 0;

  constructor(minSamples: number) {
    this.#minSamples = minSamples;
  }

  add(ms: number): void {
    this.#samples[this.#next] = ms;
    this.#next = (this.#next + 1) % WINDOW;
  }

  /** Undefined until enough samples were measured. */
  p95(): number | undefined {
    if (this.#samples.length < this.#minSamples) return undefined;
    const sorted = this.#samples.toSorted((a, b) => a - b);
    return sorted[Math.ceil(sorted.length * 0.95) - 1];
  }
}
