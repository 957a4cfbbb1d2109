import type { SoundLoop } from './sound-loop.ts';

/** Playback position in a loop. */
export class LoopCursor {
  readonly #pcm: Int16Array;
  #at = 0;

  constructor({ pcm }: SoundLoop) {
    if (pcm.length === 0) throw new RangeError('an empty sound cannot be played over and over');
    this.#pcm = pcm;
  }

  /** A copy of the next `count` samples. */
  read(count: number): Int16Array {
    const out = new Int16Array(count);
    for (let filled = 0; filled < count; ) {
      const piece = this.#pcm.subarray(this.#at, this.#at + count - filled);
      out.set(piece, filled);
      filled += piece.length;
      this.#at = (this.#at + piece.length) % this.#pcm.length;
    }
    return out;
  }

  /** Steps back over the last `count` samples, which were cleared before the caller heard them. */
  rewind(count: number): void {
    const { length } = this.#pcm;
    this.#at = (((this.#at - count) % length) + length) % length;
  }
}
