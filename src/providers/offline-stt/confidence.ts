import type { Written } from './transcript.ts';

/**
 * How much better, a frame of speech, a free string of phones may explain the sound than the words do. Measured
 * on people and on synthetic voices: sentences of the grammar lie below 7 (single words below 12), anything else
 * above 5, nine tenths of it above 16. Numbers fit many sounds, and a start has less to show: less is allowed.
 */
export const excessLimit: Readonly<Record<Written['kind'], number>> = {
  sentence: 10,
  start: 6,
  number: 3,
};

const SLOPE = 3;

/** From the excess to a confidence, 0…1; a whole sentence at its limit has 0.5. */
export function confidenceOf(excess: number): number {
  return 1 / (1 + Math.exp((excess - excessLimit.sentence) / SLOPE));
}
