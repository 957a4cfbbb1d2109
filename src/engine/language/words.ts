import { boundedMemo } from '../../lib/bounded-memo.ts';

const WORD = /[\p{L}\p{M}\p{N}]+(?:['.@+-][\p{L}\p{M}\p{N}]+)*/gu;

// The rules need the words of the same few texts again and again.
const REMEMBERED_TEXTS = 512;

/** The words of a text, folded: lower case, no punctuation. */
export const wordsOf: (text: string) => readonly string[] = boundedMemo(
  REMEMBERED_TEXTS,
  (text) => text.normalize('NFKC').toLowerCase().replaceAll(/[’‘ʼ]/g, "'").match(WORD) ?? [],
);

/** A set of phrases, matched word by word, the longest first. */
export class PhraseSet {
  readonly #phrases: Iterable<string>;
  #kept: ReadonlyMap<string, readonly (readonly string[])[]> | undefined;

  constructor(phrases: Iterable<string>) {
    this.#phrases = phrases;
  }

  /** Made when first used, since most languages that are known are not spoken. */
  get #byFirst(): ReadonlyMap<string, readonly (readonly string[])[]> {
    this.#kept ??= phrasesByFirst(this.#phrases);
    return this.#kept;
  }

  /** The length in words of the longest phrase that begins at `from`; 0 if there is none. */
  matchAt(words: readonly string[], from: number): number {
    for (const phrase of this.#byFirst.get(words[from] ?? '') ?? []) {
      if (phrase.every((word, i) => words[from + i] === word)) return phrase.length;
    }
    return 0;
  }

  /** Whether the words consist only of these phrases; false without words. */
  covers(words: readonly string[]): boolean {
    return words.length > 0 && this.remove(words).length === 0;
  }

  /** Whether the words, or the words with more to follow, consist only of these phrases. */
  mayCover(words: readonly string[]): boolean {
    for (let i = 0; i < words.length; ) {
      if (this.#goesOnFrom(words, i)) return true;
      const length = this.matchAt(words, i);
      if (length === 0) return false;
      i += length;
    }
    return true;
  }

  // The remaining words are a phrase, or the beginning of one.
  #goesOnFrom(words: readonly string[], from: number): boolean {
    const left = words.slice(from);
    return (this.#byFirst.get(words[from] ?? '') ?? []).some((phrase) =>
      left.every((word, i) => word === phrase[i]),
    );
  }

  /** The words without the phrases. */
  remove(words: readonly string[]): readonly string[] {
    const left: string[] = [];
    for (let i = 0; i < words.length; ) {
      const length = this.matchAt(words, i);
      if (length === 0) left.push(words[i] as string);
      i += Math.max(1, length);
    }
    return left;
  }

  /** Whether the words end with one of the phrases. */
  endsWith(words: readonly string[]): boolean {
    return words.some((_, i) => this.matchAt(words, i) === words.length - i);
  }

  /** Whether the words contain one of the phrases. */
  within(words: readonly string[]): boolean {
    return words.some((_, i) => this.matchAt(words, i) > 0);
  }
}

/** The words of each phrase by the first of them, the longest phrase first. */
function phrasesByFirst(phrases: Iterable<string>): ReadonlyMap<string, readonly string[][]> {
  const byFirst = new Map<string, string[][]>();
  for (const phrase of phrases) {
    const words = [...wordsOf(phrase)];
    const first = words[0];
    if (first === undefined) continue;
    const list = byFirst.get(first) ?? [];
    list.push(words);
    list.sort((a, b) => b.length - a.length);
    byFirst.set(first, list);
  }
  return byFirst;
}

/** Whether two texts have the same words, apart from fillers. */
export function sameWords(a: string, b: string, fillers: PhraseSet): boolean {
  const left = fillers.remove(wordsOf(a));
  const right = fillers.remove(wordsOf(b));
  return left.length === right.length && left.every((word, i) => word === right[i]);
}

/** The words other than backchannels and fillers. Hint words always count. */
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

/** B1: whether the text, apart from fillers and backchannels, begins with a stop phrase. */
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
