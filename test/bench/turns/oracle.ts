import type { Random } from './random.ts';

/**
 * Separation (d') of the predictor's scores for pauses and for ends. 1.5 gives, on eot-bench's distribution
 * of pauses, the operating points that eot-bench publishes for smart-turn v3.2 in English; AUC 0.86.
 */
export const SMART_TURN_SEPARATION = 1.5;

/** How much two looks at the same silence have in common. */
const SAME_SILENCE = 0.9;

/** The probability that the caller goes on, as a calibrated predictor of a known quality would give it. */
export class Oracle {
  readonly #separation: number;
  #score = 0;
  #silence = '';

  constructor(separation = SMART_TURN_SEPARATION) {
    this.#separation = separation;
  }

  /** `silence` names the silence that is judged; each has its own ease or difficulty. */
  unfinished(truth: boolean, silence: string, random: Random): number {
    const noise = random.normal();
    const before = silence === this.#silence ? this.#score : undefined;
    this.#silence = silence;
    this.#score =
      before === undefined
        ? noise
        : SAME_SILENCE * before + Math.sqrt(1 - SAME_SILENCE ** 2) * noise;
    const z = this.#score + (truth ? 1 : -1) * (this.#separation / 2);
    return 1 / (1 + Math.exp(-this.#separation * z));
  }
}
