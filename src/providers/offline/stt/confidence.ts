import type { Written } from './transcript.ts';

// Measured on people and on synthetic voices: sentences of four words and more lie below 13, shorter ones below
// 13 (nine in ten below 10); of other speech that was taken for a sentence, nineteen in twenty lie above 14, a
// few short words that sound alike (nothing, "nothing else") below 7.
const LONG_SENTENCE_WORDS = 4;
const LONG_SENTENCE_LIMIT = 13.5;
const SHORT_SENTENCE_LIMIT = 10;
/** Number words fit many sounds. */
const NUMBER_LIMIT = 3;
/** A start has less to show than a sentence. */
const START_LIMIT = 6;
const SLOPE = 3;

/** How much better, a frame of speech, free phones may explain the sound than the words do. */
export function excessLimit(kind: Written['kind'], words: number): number {
  if (kind === 'number') return NUMBER_LIMIT;
  if (kind === 'start') return START_LIMIT;
  return words >= LONG_SENTENCE_WORDS ? LONG_SENTENCE_LIMIT : SHORT_SENTENCE_LIMIT;
}

/** From the excess to a confidence, 0…1; a long sentence at its limit has 0.5. */
export function confidenceOf(excess: number): number {
  return 1 / (1 + Math.exp((excess - LONG_SENTENCE_LIMIT) / SLOPE));
}
