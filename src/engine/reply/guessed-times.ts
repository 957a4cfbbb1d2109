import { wordsOf } from '../language/words.ts';

/** A word of an utterance and when it probably begins, give or take `marginMs`. */
export interface GuessedWord {
  readonly word: string;
  readonly startMs: number;
  readonly marginMs: number;
}

/** Assumed length of speech per character, about 150 words a minute. */
export const MS_PER_CHARACTER = 65;
/** A word takes as long as its letters and this many more: its end, and the gap after it. */
const EXTRA_LETTERS = 2;
/** Voices begin after some silence, and stress words as they like. */
const LEAST_MARGIN_MS = 350;
/** The end of the sound is known better than what stands before it. */
const LEAST_MARGIN_AT_END_MS = 100;
/** By how much the pace differs: within an utterance, before its end, and from one that is only assumed. */
const PACE_ERROR = { known: 0.05, toEnd: 0.15, assumed: 0.3 } as const;
const MOST_MARGIN_MS = 2000;

/**
 * When the words of an utterance probably begin, for voices that do not tell: by their lengths, over the length of
 * the sound or, while that is unknown, at the usual pace.
 */
export function guessWordTimes(text: string, totalMs: number | undefined): readonly GuessedWord[] {
  const words = wordsOf(text);
  const letters = words.reduce((sum, word) => sum + word.length + EXTRA_LETTERS, 0);
  const msPerLetter = (totalMs ?? text.trim().length * MS_PER_CHARACTER) / letters;
  let before = 0;
  return words.map((word) => {
    const startMs = before * msPerLetter;
    before += word.length + EXTRA_LETTERS;
    return { word, startMs, marginMs: marginMs(startMs, totalMs) };
  });
}

function marginMs(startMs: number, totalMs: number | undefined): number {
  if (totalMs === undefined)
    return Math.min(MOST_MARGIN_MS, LEAST_MARGIN_MS + PACE_ERROR.assumed * startMs);
  return Math.min(
    LEAST_MARGIN_MS + PACE_ERROR.known * startMs,
    LEAST_MARGIN_AT_END_MS + PACE_ERROR.toEnd * (totalMs - startMs),
  );
}
