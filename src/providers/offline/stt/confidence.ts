import type { Written } from './transcript.ts';

// Excess scores measured on people and on synthetic voices. Correct sentences of four words and more are below 13,
// shorter ones below 13 (90 % below 10). Other speech that was taken for a sentence is above 14 in 95 % of cases; a
// few short words that sound alike ("nothing", "nothing else") are below 7.
const LONG_SENTENCE_WORDS = 4;
const LONG_SENTENCE_LIMIT = 13.5;
const SHORT_SENTENCE_LIMIT = 10;
/** Number words match many sounds. */
const NUMBER_LIMIT = 3;
/** The start of a sentence offers less evidence than a whole one. */
const START_LIMIT = 6;
const SLOPE = 3;

/** The maximum excess per frame of speech: how much better free phones may explain the audio than the words do. */
export function excessLimit(kind: Written['kind'], words: number): number {
  if (kind === 'number') return NUMBER_LIMIT;
  if (kind === 'start') return START_LIMIT;
  return words >= LONG_SENTENCE_WORDS ? LONG_SENTENCE_LIMIT : SHORT_SENTENCE_LIMIT;
}

/** Converts the excess to a confidence, 0…1; a long sentence at its limit has 0.5. */
export function confidenceOf(excess: number): number {
  return 1 / (1 + Math.exp((excess - LONG_SENTENCE_LIMIT) / SLOPE));
}
