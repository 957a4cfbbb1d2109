/** A ring buffer that keeps the latest samples. */
export class RecentAudio {
  readonly #ring: Int16Array;
  #end = 0;
  #filled = 0;

  constructor(samples: number) {
    this.#ring = new Int16Array(samples);
  }

  push(pcm: Int16Array): void {
    const tail = pcm.length > this.#ring.length ? pcm.subarray(-this.#ring.length) : pcm;
    const first = tail.subarray(0, this.#ring.length - this.#end);
    this.#ring.set(first, this.#end);
    this.#ring.set(tail.subarray(first.length), 0);
    this.#end = (this.#end + tail.length) % this.#ring.length;
    this.#filled = Math.min(this.#ring.length, this.#filled + tail.length);
  }

  /** A copy, oldest sample first; shorter until the buffer has filled once. */
  read(): Int16Array {
    const out = new Int16Array(this.#filled);
    const from = (this.#end - this.#filled + this.#ring.length) % this.#ring.length;
    const first = this.#ring.subarray(from, Math.min(this.#ring.length, from + this.#filled));
    out.set(first, 0);
    out.set(this.#ring.subarray(0, this.#filled - first.length), first.length);
    return out;
  }

  clear(): void {
    this.#filled = 0;
  }
}
