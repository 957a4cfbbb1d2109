const MIN_CAPACITY = 1 << 16;

/** One channel of a recording on a sample clock: silence wherever nothing was written. */
export class Track {
  #samples = new Int16Array(MIN_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  write(pcm: Int16Array, atSample: number): void {
    const end = atSample + pcm.length;
    this.#reserve(end);
    this.#samples.set(pcm, atSample);
    this.#length = Math.max(this.#length, end);
  }

  /** Takes back everything from this sample on. */
  truncate(atSample: number): void {
    if (atSample >= this.#length) return;
    this.#samples.fill(0, atSample, this.#length);
    this.#length = atSample;
  }

  /** A view that is good until the next write. */
  read(fromSample = 0, toSample = this.#length): Int16Array {
    return this.#samples.subarray(
      Math.min(fromSample, this.#length),
      Math.min(toSample, this.#length),
    );
  }

  #reserve(length: number): void {
    if (length <= this.#samples.length) return;
    const larger = new Int16Array(Math.max(length, this.#samples.length * 2));
    larger.set(this.#samples.subarray(0, this.#length));
    this.#samples = larger;
  }
}
