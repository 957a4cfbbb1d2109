import { fold, type Token, tokensOf } from '../tokens.ts';

interface Node {
  ends: boolean;
  readonly next: Map<string, Node>;
  /** Beginnings of words after which the phrase is complete. */
  readonly stems: string[];
}

const newNode = (): Node => ({ ends: false, next: new Map(), stems: [] });

/** Phrases of words, found in a text's tokens in time proportional to the text. An asterisk at the end: any ending. */
export class PhraseSet {
  readonly #root = newNode();

  constructor(phrases: readonly string[]) {
    for (const phrase of phrases) this.#add(phrase);
  }

  /** Number of tokens of the longest phrase that begins at a token; 0 if none does. */
  matchAt(tokens: readonly Token[], from: number): number {
    let node: Node | undefined = this.#root;
    let found = 0;
    for (let i = from; i < tokens.length; i++) {
      const { word } = tokens[i] as Token;
      if (node.stems.some((stem) => word.startsWith(stem))) found = i - from + 1;
      node = node.next.get(word);
      if (!node) break;
      if (node.ends) found = i - from + 1;
    }
    return found;
  }

  /** Index of the first token of a phrase that ends at a token, the longest one; -1 if none does. */
  matchBefore(tokens: readonly Token[], last: number, longest = 6): number {
    for (let from = Math.max(0, last - longest + 1); from <= last; from++)
      if (this.matchAt(tokens, from) === last - from + 1) return from;
    return -1;
  }

  #add(phrase: string): void {
    const isStem = phrase.endsWith('*');
    const words = tokensOf(isStem ? phrase.slice(0, -1) : phrase).map(({ word }) => word);
    let node = this.#root;
    for (const [i, word] of words.entries()) {
      if (isStem && i === words.length - 1) {
        node.stems.push(fold(word));
        return;
      }
      const next: Node = node.next.get(word) ?? newNode();
      node.next.set(word, next);
      node = next;
    }
    if (words.length > 0) node.ends = true;
  }
}
