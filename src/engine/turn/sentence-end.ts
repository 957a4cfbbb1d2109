import type { Language } from '../language/language.ts';
import { wordsOf } from '../language/words.ts';

const CLOSED = /[.?!…。？！।]["'”’)]*$/;
const QUESTION = /[?？]["'”’)]*$/;
const QUESTION_OR_EXCLAMATION = /[?!？！]["'”’)]*$/;
const TRAILING_OFF = /(?:…|\.\.\.?|—|-)["'”’)]*$/;

/** The text ends with the punctuation of a sentence. */
export const isClosed = (text: string) => CLOSED.test(text.trim());

/** The text ends with a question mark. */
export const hasQuestionMark = (text: string) => QUESTION.test(text.trim());

/** The text ends with a question mark, or begins like a question and has no punctuation. */
export function isQuestion(text: string, language: Language): boolean {
  if (hasQuestionMark(text)) return true;
  const words = wordsOf(text);
  const lead = language.fillers.matchAt(words, 0);
  return !isClosed(text) && language.interrogatives.matchAt(words, lead) > 0;
}

/** The text ends with an ellipsis or a dash. */
export const trailsOff = (text: string) => TRAILING_OFF.test(text.trim());

/** Sounds of hesitation however long recognisers write them: "mmm", "uhm", "äh", "euh", "yyy". */
const HESITATION_SOUND = /^(?:h?m+|[ueäö]+h+m*|[uäö]+m+|e+r+m+|e{2,}r*|h[ueä]m+|e+u+h+|y{2,})$/u;

const isHesitation = (word: string, language: Language) =>
  HESITATION_SOUND.test(word) && language.numbers.matchAt([word], 0) === 0;

/**
 * The text ends with a sound or phrase that asks for time, or with a discourse marker and no full stop: the caller
 * wants to go on. At the end of a question they do not count.
 */
export function hesitates(text: string, language: Language): boolean {
  const words = wordsOf(text);
  if (QUESTION_OR_EXCLAMATION.test(text.trim()) || language.shortAnswers.covers(words))
    return false;
  const asksForTime =
    isHesitation(words.at(-1) ?? '', language) ||
    language.hesitations.endsWith(words) ||
    language.timeouts.endsWith(words);
  if (asksForTime || language.markers.covers(words)) return true;
  return language.markers.endsWith(words) && (!isClosed(text) || trailsOff(text));
}

/** Whether more must follow: open words, unless a full stop follows one that may close a sentence. No question is. */
export function endsOpen(text: string, language: Language): boolean {
  if (QUESTION_OR_EXCLAMATION.test(text.trim())) return false;
  const set = isClosed(text) && !trailsOff(text) ? language.strictlyOpen : language.openEnders;
  return set.endsWith(wordsOf(text));
}
