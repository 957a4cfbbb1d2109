import { boundedMemo } from '../../lib/bounded-memo.ts';

const WORD = /[\p{L}\p{M}\p{N}]+(?:['.@+-][\p{L}\p{M}\p{N}]+)*/gu;

// An event asks for the words of the same few texts again and again.
const REMEMBERED_TEXTS = 512;

/** The words of a text, folded: lower case, no punctuation. */
export const wordsOf: (text: string) => readonly string[] = boundedMemo(
  REMEMBERED_TEXTS,
  (text) => text.normalize('NFKC').toLowerCase().replaceAll(/[’‘ʼ]/g, "'").match(WORD) ?? [],
);

/** A set of phrases, matched word by word, the longest first. */
export class PhraseSet {
  readonly #byFirst = new Map<string, string[][]>();

  constructor(phrases: Iterable<string>) {
    for (const phrase of phrases) {
      const words = [...wordsOf(phrase)];
      const first = words[0];
      if (first === undefined) continue;
      const list = this.#byFirst.get(first) ?? [];
      list.push(words);
      list.sort((a, b) => b.length - a.length);
      this.#byFirst.set(first, list);
    }
  }

  /** How many words from `from` on are one of the phrases; 0 for none. */
  matchAt(words: readonly string[], from: number): number {
    for (const phrase of this.#byFirst.get(words[from] ?? '') ?? []) {
      if (phrase.every((word, i) => words[from + i] === word)) return phrase.length;
    }
    return 0;
  }

  /** Whether the words are made of these phrases alone; false for no words. */
  covers(words: readonly string[]): boolean {
    return words.length > 0 && this.remove(words).length === 0;
  }

  /** Whether these words, or these and more to come, are made of these phrases alone. */
  mayCover(words: readonly string[]): boolean {
    for (let i = 0; i < words.length; ) {
      if (this.#goesOnFrom(words, i)) return true;
      const length = this.matchAt(words, i);
      if (length === 0) return false;
      i += length;
    }
    return true;
  }

  // The rest of the words is the beginning, but not the whole, of a phrase.
  #goesOnFrom(words: readonly string[], from: number): boolean {
    const left = words.length - from;
    return (this.#byFirst.get(words[from] ?? '') ?? []).some(
      (phrase) => phrase.length > left && words.slice(from).every((word, i) => word === phrase[i]),
    );
  }

  /** The words left when every phrase is taken out. */
  remove(words: readonly string[]): readonly string[] {
    const left: string[] = [];
    for (let i = 0; i < words.length; ) {
      const length = this.matchAt(words, i);
      if (length === 0) left.push(words[i] as string);
      i += Math.max(1, length);
    }
    return left;
  }

  /** Whether the last words are one of the phrases. */
  endsWith(words: readonly string[]): boolean {
    return words.some((_, i) => this.matchAt(words, i) === words.length - i);
  }

  /** Whether a phrase stands anywhere in the words. */
  within(words: readonly string[]): boolean {
    return words.some((_, i) => this.matchAt(words, i) > 0);
  }
}

/** Whether two texts say the same, whatever their case and punctuation and without `fillers`. */
export function sameWords(a: string, b: string, fillers: PhraseSet): boolean {
  const left = fillers.remove(wordsOf(a));
  const right = fillers.remove(wordsOf(b));
  return left.length === right.length && left.every((word, i) => word === right[i]);
}

/** The words that carry content: no backchannels, no fillers. Hint words always count. */
export function contentWords(
  text: string,
  lists: { readonly backchannels: PhraseSet; readonly fillers: PhraseSet },
  hints: ReadonlySet<string> = new Set(),
): readonly string[] {
  const words = wordsOf(text);
  const hinted = words.filter((word) => hints.has(word));
  const rest = words.filter((word) => !hints.has(word));
  return [...hinted, ...lists.fillers.remove(lists.backchannels.remove(rest))];
}

/** B1: leaving fillers and backchannels aside, the text begins with a phrase that always takes the floor. */
export function beginsWithStopPhrase(
  text: string,
  lists: {
    readonly backchannels: PhraseSet;
    readonly fillers: PhraseSet;
    readonly stopPhrases: PhraseSet;
  },
): boolean {
  const words = wordsOf(text);
  for (let i = 0; i < words.length; ) {
    const aside = Math.max(lists.backchannels.matchAt(words, i), lists.fillers.matchAt(words, i));
    const stop = lists.stopPhrases.matchAt(words, i);
    // "No problem" is a backchannel although "no" alone is not: the longer phrase decides.
    if (stop > 0 && stop >= aside) return true;
    if (aside === 0) return false;
    i += aside;
  }
  return false;
}
