export type Channel = 'user' | 'assistant';

/** Two channels on one sample clock: a sliding window that is written out of order and read in order. */
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

  /** One past the last sample written to either channel, which may have been taken. */
  get end(): number {
    return this.#end;
  }

  /** Writes at absolute sample `at`. Returns how many samples lay outside the window and were dropped. */
  write(channel: Channel, at: number, pcm: Int16Array): number {
    const from = Math.max(at, this.#base);
    const to = Math.min(at + pcm.length, this.#base + this.#capacity);
    if (to <= from) return pcm.length;
    const ring = this.#ring(channel);
    const slot = from % this.#capacity;
    const kept = to - from === pcm.length ? pcm : pcm.subarray(from - at, to - at);
    const first = Math.min(kept.length, this.#capacity - slot);
    if (first === kept.length) {
      ring.set(kept, slot);
    } else {
      ring.set(kept.subarray(0, first), slot);
      ring.set(kept.subarray(first), 0);
    }
    this.#end = Math.max(this.#end, to);
    return pcm.length - kept.length;
  }

  /** Silences a channel from absolute sample `from` on. */
  erase(channel: Channel, from: number): void {
    this.#silence(this.#ring(channel), Math.max(from, this.#base), this.#end);
  }

  /** Removes and returns everything before absolute sample `upTo`, interleaved: user, assistant. */
  take(upTo: number): Int16Array {
    const count = Math.max(0, Math.min(upTo - this.#base, this.#capacity));
    const out = new Int16Array(2 * count);
    const user = this.#user;
    const assistant = this.#assistant;
    let slot = this.#base % this.#capacity;
    for (let i = 0; i < out.length; i += 2) {
      out[i] = user[slot] as number;
      out[i + 1] = assistant[slot] as number;
      if (++slot === this.#capacity) slot = 0;
    }
    this.#silence(user, this.#base, this.#base + count);
    this.#silence(assistant, this.#base, this.#base + count);
    this.#base += count;
    return out;
  }

  #silence(ring: Int16Array, from: number, to: number): void {
    if (to <= from) return;
    const slot = from % this.#capacity;
    const wrapped = slot + (to - from) - this.#capacity;
    ring.fill(0, slot, Math.min(this.#capacity, slot + (to - from)));
    if (wrapped > 0) ring.fill(0, 0, wrapped);
  }

  #ring(channel: Channel): Int16Array {
    return channel === 'user' ? this.#user : this.#assistant;
  }
}
