import type { Random } from './random.ts';

/**
 * Separation (d') of the predictor's scores for pauses and for ends. 1.5 gives, on eot-bench's distribution
 * of pauses, the operating points that eot-bench publishes for smart-turn v3.2 in English; AUC 0.86.
 */
export const SMART_TURN_SEPARATION = 1.5;

/**
 * The same for LiveKit's Turn Detector v1, whose makers publish 9.9 % of pauses cut off at 300 ms and 5 % at
 * 543 ms on eot-bench (livekit.com/blog/solving-end-of-turn-detection).
 */
export const GOOD_SEPARATION = 2.9;

/** Share of a score that is the silence's own; the rest changes with every look at it. */
const SILENCE_SHARE = 0.85;

/** The probability that the caller goes on, as a calibrated predictor of a known quality would give it. */
export class Oracle {
  readonly #separation: number;

  constructor(separation = SMART_TURN_SEPARATION) {
    this.#separation = separation;
  }

  /** `silence` has its own ease or difficulty, `look` adds what this look at it sees. */
  unfinished(truth: boolean, silence: Random, look: Random): number {
    const score =
      Math.sqrt(SILENCE_SHARE) * silence.normal() + Math.sqrt(1 - SILENCE_SHARE) * look.normal();
    const z = score + (truth ? 1 : -1) * (this.#separation / 2);
    return 1 / (1 + Math.exp(-this.#separation * z));
  }
}
