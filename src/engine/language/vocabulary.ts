import type { CallSettings } from '../settings/settings.ts';
import { type Language, languageOf } from './language.ts';
import { wordsOf } from './words.ts';

/** The word lists for the rules of a call. */
export interface Vocabulary {
  readonly language: Language;
  /** Words of the assistant's hints, and the hints as phrases. */
  readonly hints: ReadonlySet<string>;
  readonly hintPhrases: readonly (readonly string[])[];
}

const known = new WeakMap<CallSettings, Vocabulary>();

/** The vocabulary of a call, made once. */
export function vocabularyOf(settings: CallSettings): Vocabulary {
  const found = known.get(settings);
  if (found) return found;
  const hintPhrases = settings.hints.map((hint) => wordsOf(hint));
  const language = languageOf(settings.languages);
  const vocabulary = { language, hintPhrases, hints: new Set(hintPhrases.flat()) };
  known.set(settings, vocabulary);
  return vocabulary;
}
