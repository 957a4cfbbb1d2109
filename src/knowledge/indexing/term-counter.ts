import { foldLetters } from '../../lib/folded-words.ts';
import type { LanguageCode } from '../../ports/knowledge.ts';
import { isSmallWord } from '../language/language-words.ts';

const MAX_COUNTED = 5000;
const MIN_LETTERS = 3;
const MAX_WORDS = 3;

/** Counts the names and terms of texts: one to three adjacent content words. */
export class TermCounter {
  readonly #counts = new Map<
    string,
    { readonly text: string; count: number; readonly words: number }
  >();

  add(text: string, language: LanguageCode): void {
    for (const clause of text.split(/[^\p{L}\p{M}'’ -]+/u)) {
      const words = clause.split(/\s+/);
      for (let from = 0; from < words.length; from++)
        for (
          let length = 1;
          length <= MAX_WORDS && carries(words[from + length - 1], language);
          length++
        )
          this.#count(words.slice(from, from + length));
    }
  }

  /** The most frequent names and terms; of equally frequent ones, longer ones first. */
  top(limit: number): readonly string[] {
    return [...this.#counts.values()]
      .toSorted((a, b) => b.count - a.count || b.words - a.words)
      .slice(0, limit)
      .map(({ text }) => text);
  }

  #count(words: readonly string[]): void {
    const text = words.join(' ');
    const key = foldLetters(text.toLowerCase());
    const known = this.#counts.get(key);
    if (known) known.count++;
    else if (this.#counts.size < MAX_COUNTED)
      this.#counts.set(key, { text, count: 1, words: words.length });
  }
}

function carries(word: string | undefined, language: LanguageCode): boolean {
  if (word === undefined || word.length < MIN_LETTERS) return false;
  return !isSmallWord(foldLetters(word.toLowerCase()), language);
}
