import type { Language } from '../language/language.ts';
import { wordsOf } from '../language/words.ts';

const CLOSED = /[.?!…。？！]["'”’)]*$/;
const QUESTION_OR_EXCLAMATION = /[?!？！]["'”’)]*$/;
const TRAILING_OFF = /(?:…|\.\.\.?|—|-)["'”’)]*$/;

/** The text ends with the punctuation of a sentence. */
export const isClosed = (text: string) => CLOSED.test(text.trim());

const QUESTION = /[?？]["'”’)]*$/;

/** The text ends with a question mark, or begins like a question and has no punctuation. */
export function isQuestion(text: string, language: Language): boolean {
  if (QUESTION.test(text.trim())) return true;
  const words = wordsOf(text);
  const lead = language.fillers.matchAt(words, 0);
  return !isClosed(text) && language.interrogatives.matchAt(words, lead) > 0;
}

/** The text ends with an ellipsis or a dash. */
export const trailsOff = (text: string) => TRAILING_OFF.test(text.trim());

/** The text ends like a sentence, with words that close one although the last of them often bridges a pause. */
export const endsWithClosing = (text: string, language: Language) =>
  isClosed(text) && !trailsOff(text) && language.closings.endsWith(wordsOf(text));

/**
 * The text ends with a filler, so the caller wants to go on. A filler at the end of a question does not count, nor one
 * that closes a sentence ("I think so.").
 */
export function hesitates(text: string, language: Language): boolean {
  const words = wordsOf(text);
  return (
    language.fillers.endsWith(words) &&
    !language.shortAnswers.covers(words) &&
    !QUESTION_OR_EXCLAMATION.test(text.trim()) &&
    !endsWithClosing(text, language)
  );
}
