/** Sound that one entry of the memory stands for. */
const BIN_SECONDS = 5;
const BINS = 6;

/**
 * Remembers how late sound came over the last 30 s of sound: the delay that playback would have needed so that
 * no sample was late. Pure; counts in samples.
 */
export class Lateness {
  readonly #binSamples: number;
  /** Worst of each bin, newest last. */
  #bins: number[] = [];
  #inBin = 0;

  constructor(sampleRateHz: number) {
    this.#binSamples = sampleRateHz * BIN_SECONDS;
  }

  /** The delay that would have hidden everything remembered; undefined before any sound. */
  get worst(): number | undefined {
    return this.#bins.length === 0 ? undefined : Math.max(...this.#bins);
  }

  /** `samples` came that would have needed this delay. */
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
