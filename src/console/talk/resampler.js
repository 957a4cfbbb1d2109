// @ts-check
const HALF_WIDTH = 16;
/** Part of the lower rate's band that is kept. */
const PASSBAND = 0.92;

/** Changes the rate of one stream of audio by a windowed sinc, one filter per phase of the rates' ratio. */
export class Resampler {
  /** @type {number} */ #up;
  /** @type {number} */ #down;
  /** @type {Float32Array[]} */ #filters;
  /** Input not yet used up, in front of it the filter's past. @type {Float32Array} */ #input;
  /** @type {number} */ #taps;
  /** Position of the next output in units of 1/up input samples, from the start of `#input`. */
  #position = 0;

  /**
   * @param {number} fromHz
   * @param {number} toHz
   */
  constructor(fromHz, toHz) {
    const divisor = gcd(fromHz, toHz);
    this.#up = toHz / divisor;
    this.#down = fromHz / divisor;
    const cutoff = Math.min(1, toHz / fromHz) * PASSBAND;
    const half = Math.ceil(HALF_WIDTH / Math.min(1, toHz / fromHz));
    this.#taps = 2 * half;
    this.#filters = Array.from({ length: this.#up }, (_, phase) =>
      filter(phase / this.#up, half, cutoff),
    );
    this.#input = new Float32Array(this.#taps);
  }

  /**
   * @param {Float32Array} samples
   * @returns {Float32Array}
   */
  process(samples) {
    const input = new Float32Array(this.#input.length + samples.length);
    input.set(this.#input);
    input.set(samples, this.#input.length);
    const last = input.length - this.#taps;
    const count = Math.max(0, Math.ceil((last * this.#up - this.#position) / this.#down));
    const output = new Float32Array(count);
    for (let n = 0; n < count; n++) {
      const start = Math.floor(this.#position / this.#up);
      const taps = /** @type {Float32Array} */ (this.#filters[this.#position % this.#up]);
      let sum = 0;
      for (let k = 0; k < taps.length; k++) {
        sum += /** @type {number} */ (taps[k]) * /** @type {number} */ (input[start + k]);
      }
      output[n] = sum;
      this.#position += this.#down;
    }
    const used = Math.min(Math.floor(this.#position / this.#up), last);
    this.#position -= used * this.#up;
    this.#input = input.slice(used);
    return output;
  }

  reset() {
    this.#input = new Float32Array(this.#taps);
    this.#position = 0;
  }
}

/**
 * @param {number} fraction
 * @param {number} half
 * @param {number} cutoff
 */
function filter(fraction, half, cutoff) {
  const taps = new Float32Array(2 * half);
  let sum = 0;
  for (let k = 0; k < taps.length; k++) {
    const x = k - half + 1 - fraction;
    const window = 0.5 * (1 + Math.cos((Math.PI * x) / (half + 1)));
    const value = x === 0 ? cutoff : Math.sin(Math.PI * cutoff * x) / (Math.PI * x);
    taps[k] = value * window;
    sum += value * window;
  }
  return taps.map((tap) => tap / sum);
}

/**
 * @param {number} a
 * @param {number} b
 * @returns {number}
 */
function gcd(a, b) {
  return b === 0 ? a : gcd(b, a % b);
}
