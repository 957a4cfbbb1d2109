import type { SampleRing } from './sample-ring.ts';

/** Pitch periods of voices: 66 to 400 Hz. */
const SHORTEST_SECONDS = 0.0025;
const LONGEST_SECONDS = 0.015;
const COMPARED_SECONDS = 0.01;
/** The repeated sound passes for speech this long; beyond that it would buzz. */
const FADE_SECONDS = 0.06;

/** Conceals a gap: repeats the last pitch period and fades it out. */
export class Concealer {
  readonly #ring: SampleRing;
  readonly #end: number;
  readonly #period: number;
  readonly #fade: number;
  #next = 0;

  /** `end` is the position in the ring just after the last sample before the gap. */
  constructor(ring: SampleRing, end: number, sampleRateHz: number) {
    this.#ring = ring;
    this.#end = end;
    this.#period = pitchPeriod(ring, end, sampleRateHz);
    this.#fade = FADE_SECONDS * sampleRateHz;
  }

  next(): number {
    const gain = 1 - this.#next / this.#fade;
    if (gain <= 0 || this.#period === 0) return 0;
    const sample = this.#ring.at(this.#end - this.#period + (this.#next % this.#period));
    this.#next++;
    return sample * gain;
  }
}

/** The lag in samples at which the last samples correlate best with earlier ones; 0 if there are too few. */
function pitchPeriod(ring: SampleRing, end: number, sampleRateHz: number): number {
  const shortest = Math.round(SHORTEST_SECONDS * sampleRateHz);
  const longest = Math.round(LONGEST_SECONDS * sampleRateHz);
  const compared = Math.round(COMPARED_SECONDS * sampleRateHz);
  if (end < longest + compared) return 0;
  let best = longest;
  let bestLikeness = Number.NEGATIVE_INFINITY;
  for (let lag = shortest; lag <= longest; lag++) {
    let product = 0;
    let power = 1e-9;
    for (let i = end - compared; i < end; i++) {
      const before = ring.at(i - lag);
      product += ring.at(i) * before;
      power += before * before;
    }
    const likeness = product / Math.sqrt(power);
    if (likeness > bestLikeness) {
      best = lag;
      bestLikeness = likeness;
    }
  }
  return best;
}
