const HALF_WIDTH = 16;
/** Part of the lower rate's band that passes the filter. */
const PASSBAND = 0.92;

/** Resamples one audio stream with a windowed sinc: one filter for each phase of the ratio of the rates. */
export class Resampler {
  readonly #up: number;
  readonly #down: number;
  readonly #filters: readonly Float32Array[];
  readonly #taps: number;
  /** Input not used up yet, preceded by the filter's history. */
  #input: Float32Array;
  /** Position of the next output sample in units of 1/up input samples, from the start of `#input`. */
  #position = 0;

  constructor(fromHz: number, toHz: number) {
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

  process(samples: Float32Array): Float32Array {
    const input = new Float32Array(this.#input.length + samples.length);
    input.set(this.#input);
    input.set(samples, this.#input.length);
    const last = input.length - this.#taps;
    const count = Math.max(0, Math.ceil((last * this.#up - this.#position) / this.#down));
    const output = new Float32Array(count);
    for (let n = 0; n < count; n++) {
      const start = Math.floor(this.#position / this.#up);
      const taps = this.#filters[this.#position % this.#up] as Float32Array;
      let sum = 0;
      for (let k = 0; k < taps.length; k++) {
        sum += (taps[k] as number) * (input[start + k] as number);
      }
      output[n] = sum;
      this.#position += this.#down;
    }
    const used = Math.min(Math.floor(this.#position / this.#up), last);
    this.#position -= used * this.#up;
    this.#input = input.slice(used);
    return output;
  }

  reset(): void {
    this.#input = new Float32Array(this.#taps);
    this.#position = 0;
  }
}

function filter(fraction: number, half: number, cutoff: number): Float32Array {
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

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
