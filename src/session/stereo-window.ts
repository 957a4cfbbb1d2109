export type Channel = 'user' | 'assistant';

/** Two channels on one sample clock: a sliding window that is written out of order and taken in order. */
export class StereoWindow {
  readonly #capacity: number;
  readonly #user: Int16Array;
  readonly #assistant: Int16Array;
  /** First sample not yet taken. */
  #base = 0;
  #end = 0;

  constructor(capacitySamples: number) {
    this.#capacity = capacitySamples;
    this.#user = new Int16Array(capacitySamples);
    this.#assistant = new Int16Array(capacitySamples);
  }

  get base(): number {
    return this.#base;
  }

  /** One past the last sample written to either channel. */
  get end(): number {
    return this.#end;
  }

  /** Writes at absolute sample `at`; what lies outside the window is lost and counted. */
  write(channel: Channel, at: number, pcm: Int16Array): number {
    const ring = this.#ring(channel);
    const from = Math.max(at, this.#base);
    const to = Math.min(at + pcm.length, this.#base + this.#capacity);
    for (let i = from; i < to; i++) ring[i % this.#capacity] = pcm[i - at] as number;
    if (to > this.#end) this.#end = to;
    return pcm.length - Math.max(0, to - from);
  }

  /** Silences a channel from absolute sample `from` on. */
  erase(channel: Channel, from: number): void {
    const ring = this.#ring(channel);
    for (let i = Math.max(from, this.#base); i < this.#end; i++) ring[i % this.#capacity] = 0;
  }

  /** Everything before absolute sample `upTo`, interleaved user, assistant; the window moves on. */
  take(upTo: number): Int16Array {
    const count = Math.max(0, Math.min(upTo - this.#base, this.#capacity));
    const out = new Int16Array(2 * count);
    for (let i = 0; i < count; i++) {
      const slot = (this.#base + i) % this.#capacity;
      out[2 * i] = this.#user[slot] as number;
      out[2 * i + 1] = this.#assistant[slot] as number;
      this.#user[slot] = 0;
      this.#assistant[slot] = 0;
    }
    this.#base += count;
    if (this.#end < this.#base) this.#end = this.#base;
    return out;
  }

  #ring(channel: Channel): Int16Array {
    return channel === 'user' ? this.#user : this.#assistant;
  }
}
