/** A ring buffer addressed by position in the stream, so that recently played samples stay readable. */
export class SampleRing {
  readonly #samples: Float32Array;
  /** Total samples written, which is the position of the next one. */
  written = 0;

  constructor(capacity: number) {
    this.#samples = new Float32Array(capacity);
  }

  get capacity(): number {
    return this.#samples.length;
  }

  push(samples: Float32Array): void {
    const start = this.written % this.capacity;
    const head = Math.min(samples.length, this.capacity - start);
    this.#samples.set(samples.subarray(0, head), start);
    this.#samples.set(samples.subarray(head), 0);
    this.written += samples.length;
  }

  at(position: number): number {
    return this.#samples[position % this.capacity] as number;
  }

  /** Mean power of `count` samples from a position on. */
  power(from: number, count: number): number {
    let sum = 0;
    for (let i = from; i < from + count; i++) sum += this.at(i) ** 2;
    return sum / count;
  }

  /** Drops everything written from a position on. */
  truncate(position: number): void {
    this.written = position;
  }
}
