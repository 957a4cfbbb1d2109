/** Computes the discrete Fourier transform of complex signals of one length, in place of the given arrays. */
export type Fourier = (re: Float64Array, im: Float64Array) => void;

/** One stage: joins `radix` transforms of `part` values each into one. */
interface Stage {
  readonly radix: number;
  readonly part: number;
  /** Twiddle factors by value and term: `[k * radix + q]`. */
  readonly twiddles: Complex;
  /** The transform of `radix` values as a matrix, row by row. */
  readonly matrix: Complex;
}

interface Complex {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/**
 * A transform for the given length, by Cooley and Tukey's decimation in time. It is fast where the length has small
 * prime factors. Throws RangeError for a length below 2. The transform reuses its memory: run one at a time.
 */
export function createFourier(length: number): Fourier {
  if (!Number.isInteger(length) || length < 2) throw new RangeError(`no transform of ${length}`);
  const factors = factorsOf(length);
  const order = orderOf(length, factors);
  const stages = stagesOf(factors);
  const widest = Math.max(...factors);
  const from = zeros(length);
  const terms = zeros(widest);
  return (re, im) => {
    for (let i = 0; i < length; i++) {
      from.re[i] = re[order[i] as number] as number;
      from.im[i] = im[order[i] as number] as number;
    }
    for (const stage of stages) join(from, stage, terms);
    re.set(from.re);
    im.set(from.im);
  };
}

function join({ re, im }: Complex, { radix, part, twiddles, matrix }: Stage, terms: Complex): void {
  const size = radix * part;
  for (let to = 0; to < re.length; to += size) {
    for (let k = 0; k < part; k++) {
      for (let q = 0; q < radix; q++) {
        const at = to + q * part + k;
        const c = twiddles.re[k * radix + q] as number;
        const s = twiddles.im[k * radix + q] as number;
        const a = re[at] as number;
        const b = im[at] as number;
        terms.re[q] = a * c - b * s;
        terms.im[q] = a * s + b * c;
      }
      for (let j = 0; j < radix; j++) {
        let sumRe = 0;
        let sumIm = 0;
        for (let q = 0; q < radix; q++) {
          const c = matrix.re[j * radix + q] as number;
          const s = matrix.im[j * radix + q] as number;
          const a = terms.re[q] as number;
          const b = terms.im[q] as number;
          sumRe += a * c - b * s;
          sumIm += a * s + b * c;
        }
        re[to + j * part + k] = sumRe;
        im[to + j * part + k] = sumIm;
      }
    }
  }
}

/** The stages, from transforms of single values to the whole. */
function stagesOf(factors: readonly number[]): Stage[] {
  let part = 1;
  return factors.toReversed().map((radix) => {
    const size = radix * part;
    const stage: Stage = {
      radix,
      part,
      twiddles: roots(size, part * radix, (i) => Math.floor(i / radix) * (i % radix)),
      matrix: roots(radix, radix * radix, (i) => Math.floor(i / radix) * (i % radix)),
    };
    part = size;
    return stage;
  });
}

/** Roots of unity, e^(-2πi·n/of), for the n of each place. */
function roots(of: number, places: number, n: (place: number) => number): Complex {
  const angle = (place: number) => (2 * Math.PI * (n(place) % of)) / of;
  return {
    re: Float64Array.from({ length: places }, (_, place) => Math.cos(angle(place))),
    im: Float64Array.from({ length: places }, (_, place) => -Math.sin(angle(place))),
  };
}

/** Which value of the signal comes at which place before the first stage. */
function orderOf(length: number, factors: readonly number[]): Int32Array {
  const order = new Int32Array(length);
  const place = (to: number, from: number, stride: number, size: number, depth: number): void => {
    if (size === 1) {
      order[to] = from;
      return;
    }
    const radix = factors[depth] as number;
    const part = size / radix;
    for (let q = 0; q < radix; q++) {
      place(to + q * part, from + q * stride, stride * radix, part, depth + 1);
    }
  };
  place(0, 0, 1, length, 0);
  return order;
}

const zeros = (length: number): Complex => ({
  re: new Float64Array(length),
  im: new Float64Array(length),
});

/** Prime factors, but for pairs of 2, which are taken as 4: that needs fewer multiplications. */
function factorsOf(length: number): number[] {
  const factors: number[] = [];
  let rest = length;
  for (const factor of [4, 2]) {
    while (rest % factor === 0) {
      factors.push(factor);
      rest /= factor;
    }
  }
  for (let factor = 3; rest > 1; factor += 2) {
    while (rest % factor === 0) {
      factors.push(factor);
      rest /= factor;
    }
  }
  return factors;
}
