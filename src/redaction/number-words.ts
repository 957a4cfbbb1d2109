import type { RedactionWords } from './language/language-words.ts';
import { fold, type Token } from './tokens.ts';

/** Digits that one or several words stand for. */
interface Reading {
  readonly digits: string;
  /** Number of tokens. */
  readonly length: number;
}

interface Node {
  digits?: string;
  readonly next: Map<string, Node>;
}

const LARGEST = 999;

/** Reads spoken numbers of a language, to 999: "forty-one" is 41, "quatre-vingt-dix-sept" is 97. */
export class NumberReader {
  readonly #root: Node = { next: new Map() };
  readonly #words = new Set<string>();

  constructor({ cardinal, otherNumbers }: Pick<RedactionWords, 'cardinal' | 'otherNumbers'>) {
    for (let n = LARGEST; n >= 0; n--) this.#add(cardinal(n), String(n));
    for (const [words, digits] of Object.entries(otherNumbers)) this.#add(words, digits);
  }

  /** The longest number that begins at a token; undefined if none does. */
  read(tokens: readonly Token[], from: number): Reading | undefined {
    let node: Node | undefined = this.#root;
    let found: Reading | undefined;
    for (let i = from; i < tokens.length; i++) {
      node = node.next.get((tokens[i] as Token).word);
      if (!node) break;
      if (node.digits !== undefined) found = { digits: node.digits, length: i - from + 1 };
    }
    return found;
  }

  /** True for a word that is a part of some number. */
  knows(word: string): boolean {
    return this.#words.has(word);
  }

  #add(words: string, digits: string): void {
    let node = this.#root;
    for (const word of fold(words).split(/[\s-]+/)) {
      const next: Node = node.next.get(word) ?? { next: new Map() };
      node.next.set(word, next);
      this.#words.add(word);
      node = next;
    }
    node.digits = digits;
  }
}
