import type { Language } from './language.ts';

/** All pronunciations of a word, as phones separated by spaces; undefined when there is none. */
export type Pronounce = (word: string) => readonly string[] | undefined;

/** The dictionary's pronunciations of a word; empty when the word is missing. */
export type LookUp = (word: string) => readonly string[];

const SHORTEST_PART = 3;

/** Tries the dictionary, then a split into two dictionary words, then the spelling rules. */
export function createPronounce(
  lookUp: LookUp,
  { letterToSound, alsoSpoken }: Pick<Language, 'letterToSound' | 'alsoSpoken'>,
): Pronounce {
  return (word) => {
    const known = lookUp(word);
    if (known.length > 0) return [...known, ...(alsoSpoken.get(word) ?? [])];
    const joined = compound(word, lookUp);
    const guessed = joined ?? letterToSound(word);
    return guessed === undefined ? undefined : [guessed];
  };
}

/** The split into two known words whose shorter half is longest. */
function compound(word: string, lookUp: LookUp): string | undefined {
  let best: { sound: string; shorter: number } | undefined;
  for (let at = SHORTEST_PART; at <= word.length - SHORTEST_PART; at++) {
    const [head] = lookUp(word.slice(0, at));
    const [tail] = lookUp(word.slice(at));
    if (head === undefined || tail === undefined) continue;
    const shorter = Math.min(at, word.length - at);
    if (!best || shorter > best.shorter) best = { sound: `${head} ${tail}`, shorter };
  }
  return best?.sound;
}
