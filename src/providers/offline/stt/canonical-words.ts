import type { Language } from './language.ts';

/** Expands contractions, so variants of a phrase become equal. */
export function canonicalWords(words: readonly string[], language: Language): string[] {
  return words.flatMap((word) => language.contractions.get(word)?.split(' ') ?? word);
}
