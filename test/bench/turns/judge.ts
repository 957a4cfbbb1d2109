import { wordsOf } from '../../../src/engine/language/words.ts';
import type { Random } from './random.ts';

/** How a model errs that may stay silent where words were not meant for it, in shares of each sort. */
export interface Judge {
  /** Of the words that were meant, it takes so many for somebody else's. */
  readonly deafTo: number;
  /** Of the others it answers so many. */
  readonly answers: number;
}

/** Assumed: it is deaf to 3 % of what was meant, and answers a fifth of what was not. */
const USUAL_JUDGE: Judge = { deafTo: 0.03, answers: 0.2 };

/** What was said last. */
export interface Said {
  readonly words: readonly string[];
  /** It was meant for the assistant. */
  readonly meant: boolean;
  readonly sound: string;
}

/** Whether the model takes these words for somebody else's. Words that nobody in the script has said are the television's. */
export function isJudgedOthers(
  text: string,
  { words, meant, sound }: Said,
  random: Random,
  { deafTo, answers }: Judge = USUAL_JUDGE,
): boolean {
  const draw = random.fork('addressee', sound, text);
  const isMeant = meant && wordsOf(text).some((word) => words.includes(word));
  return isMeant ? draw.chance(deafTo) : !draw.chance(answers);
}
