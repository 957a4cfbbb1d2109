// @ts-check

/** Samples that wait to be played, and an exact count of those that were. */
export class PlaybackBuffer {
  /** @type {Float32Array} */ #ring;
  /** @type {number} */ #prebuffer;
  /** Samples ever written and ever played: their difference is what waits. */
  #written = 0;
  #played = 0;
  #playedAtClear = 0;
  /** After running dry, playback waits for `prebuffer` samples, but no longer than they would take. */
  #filling = true;
  #waited = 0;
  /** @type {{ name: string, at: number }[]} */ #marks = [];
  dropped = 0;

  /**
   * @param {number} capacity in samples
   * @param {number} prebuffer in samples
   */
  constructor(capacity, prebuffer) {
    this.#ring = new Float32Array(capacity);
    this.#prebuffer = prebuffer;
  }

  get waiting() {
    return this.#written - this.#played;
  }

  /** @param {Float32Array} samples */
  push(samples) {
    const ring = this.#ring;
    const room = ring.length - this.waiting;
    const count = Math.min(room, samples.length);
    // The service never sends so far ahead; if one does, its newest audio is what goes.
    this.dropped += samples.length - count;
    const start = this.#written % ring.length;
    const head = Math.min(count, ring.length - start);
    ring.set(samples.subarray(0, head), start);
    ring.set(samples.subarray(head, count), 0);
    this.#written += count;
  }

  /**
   * Marks the end of what was pushed so far.
   * @param {string} name
   */
  mark(name) {
    this.#marks.push({ name, at: this.#written });
  }

  /**
   * Drops what waits, and its marks.
   * @returns {number} samples played since the last clear
   */
  clear() {
    const playedSince = this.#played - this.#playedAtClear;
    this.#playedAtClear = this.#played;
    this.#written = this.#played;
    this.#marks.length = 0;
    this.#filling = true;
    this.#waited = 0;
    return playedSince;
  }

  /**
   * Fills one block of output.
   * @param {Float32Array} output
   * @param {(name: string) => void} onMark told of each mark that is reached
   * @returns {number} how many of the samples are audio, the rest is silence
   */
  pull(output, onMark) {
    const count = this.#isHeldBack(output.length) ? 0 : Math.min(this.waiting, output.length);
    const ring = this.#ring;
    const start = this.#played % ring.length;
    const head = Math.min(count, ring.length - start);
    output.set(ring.subarray(start, start + head));
    output.set(ring.subarray(0, count - head), head);
    output.fill(0, count);
    this.#played += count;
    if (count < output.length && !this.#filling) {
      this.#filling = true;
      this.#waited = 0;
    }
    for (let mark = this.#marks[0]; mark && mark.at <= this.#played; mark = this.#marks[0]) {
      this.#marks.shift();
      onMark(mark.name);
    }
    return count;
  }

  /** @param {number} blockLength */
  #isHeldBack(blockLength) {
    if (!this.#filling || this.waiting === 0) return this.#filling;
    this.#waited += blockLength;
    this.#filling = this.waiting < this.#prebuffer && this.#waited < this.#prebuffer;
    return this.#filling;
  }
}
