/** A word or a group of digits, and where it stands in the text. */
export interface Token {
  /** Lower case, without accents. */
  readonly word: string;
  /** As written. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

// An elided article or pronoun of French or Italian is a word of its own: "l'asthme".
const TOKEN =
  /(?:[cdjlmnst]|qu|jusqu|lorsqu)(?=['’]\p{L}{3})|\p{L}[\p{L}\p{M}]*(?:['’]\p{L}[\p{L}\p{M}]*)*|\d+/giu;

/** Lower case, without accents. */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('’', "'");

/** The words and groups of digits of a text. A letter that touches a digit begins a token of its own. */
export function tokensOf(text: string): readonly Token[] {
  return Array.from(text.matchAll(TOKEN), (match) => ({
    word: fold(match[0]),
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Index of the last token that ends at or before a place in the text; -1 if there is none. */
export function lastTokenBefore(tokens: readonly Token[], place: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle] as Token).end <= place) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
