/** Keeps the last moments of a stream, because VAD reports speech after its onset. */
export class Preroll {
  readonly #ring: Int16Array;
  #at = 0;
  #filled = 0;

  constructor(samples: number) {
    this.#ring = new Int16Array(samples);
  }

  push(pcm: Int16Array): void {
    const size = this.#ring.length;
    for (let i = Math.max(0, pcm.length - size); i < pcm.length; i++) {
      this.#ring[this.#at] = pcm[i] as number;
      this.#at = (this.#at + 1) % size;
    }
    this.#filled = Math.min(size, this.#filled + pcm.length);
  }

  /** Returns all kept audio, oldest first. */
  take(): Int16Array {
    const size = this.#ring.length;
    const taken = new Int16Array(this.#filled);
    const start = (this.#at - this.#filled + size) % size;
    for (let i = 0; i < taken.length; i++) taken[i] = this.#ring[(start + i) % size] as number;
    this.#filled = 0;
    return taken;
  }
}
