import type { Language } from './language.ts';

/** The same words whichever of its ways something is said: contractions are opened. */
export function canonicalWords(words: readonly string[], language: Language): string[] {
  return words.flatMap((word) => language.contractions.get(word)?.split(' ') ?? word);
}
