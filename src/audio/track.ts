const MIN_CAPACITY = 1 << 16;

/** One channel of a recording on a sample clock; gaps between writes are silent. */
export class Track {
  #samples = new Int16Array(MIN_CAPACITY);
  #length = 0;
  /** Position of the first sample still kept. */
  #first = 0;

  get length(): number {
    return this.#length;
  }

  /** Writes samples at a position; must not be before the samples already forgotten. */
  write(pcm: Int16Array, atSample: number): void {
    const end = atSample + pcm.length;
    this.#reserve(end - this.#first);
    this.#samples.set(pcm, atSample - this.#first);
    this.#length = Math.max(this.#length, end);
  }

  /** Releases the samples before this position, which nobody reads any more. */
  forget(beforeSample: number): void {
    const dropped = Math.min(beforeSample, this.#length) - this.#first;
    // Copying the rest pays only once enough can be dropped.
    if (dropped < MIN_CAPACITY / 2) return;
    const kept = this.#length - this.#first - dropped;
    this.#samples.copyWithin(0, dropped, dropped + kept);
    this.#samples.fill(0, kept);
    this.#first += dropped;
  }

  /** Removes everything from this sample on. */
  truncate(atSample: number): void {
    if (atSample >= this.#length) return;
    this.#samples.fill(0, Math.max(0, atSample - this.#first), this.#length - this.#first);
    this.#length = atSample;
  }

  /** Returns a view that is valid until the next write. */
  read(fromSample = 0, toSample = this.#length): Int16Array {
    const place = (sample: number) => Math.max(0, Math.min(sample, this.#length) - this.#first);
    return this.#samples.subarray(place(fromSample), place(toSample));
  }

  #reserve(length: number): void {
    if (length <= this.#samples.length) return;
    const larger = new Int16Array(Math.max(length, this.#samples.length * 2));
    larger.set(this.#samples.subarray(0, this.#length - this.#first));
    this.#samples = larger;
  }
}
