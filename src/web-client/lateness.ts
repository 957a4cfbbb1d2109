/** Amount of audio per bin. */
const BIN_SECONDS = 5;
const BINS = 6;

/**
 * Remembers lateness over the last 30 s of audio: the playout delay at which no sample would have been late. Pure;
 * counts in samples.
 */
export class Lateness {
  readonly #binSamples: number;
  /** Worst lateness in each bin, newest last. */
  #bins: number[] = [];
  #inBin = 0;

  constructor(sampleRateHz: number) {
    this.#binSamples = sampleRateHz * BIN_SECONDS;
  }

  /** Delay that would have hidden all the lateness remembered; undefined before any audio. */
  get worst(): number | undefined {
    return this.#bins.length === 0 ? undefined : Math.max(...this.#bins);
  }

  /** Records that `samples` arrived which would have needed this delay. */
  add(needed: number, samples: number): void {
    const last = this.#bins.length - 1;
    if (last < 0 || this.#inBin >= this.#binSamples) {
      this.#bins = [...this.#bins, needed].slice(-BINS);
      this.#inBin = 0;
    } else {
      this.#bins[last] = Math.max(this.#bins[last] as number, needed);
    }
    this.#inBin += samples;
  }
}
