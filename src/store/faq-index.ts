import { foldedWords } from '../lib/folded-words.ts';

/** Postgres' highest position. */
const MAX_POSITION = 16_383;
/** What a spoken question can be about stands early; the rest of a long answer only slows the search. */
const MAX_WORDS = 2_000;

/**
 * The full text index of an entry, as the text of a `tsvector`: the words of its question first. Made
 * here rather than by a Postgres configuration, which would split and fold words by the server's locale.
 */
export function faqIndex(entry: {
  readonly question: string;
  readonly answer: string;
  readonly category: string;
}): string {
  let position = 0;
  const lexemes = (text: string, weight: string) =>
    foldedWords(text)
      .flatMap((word) => word.split("'"))
      .filter((part) => part !== '')
      .slice(0, MAX_WORDS)
      .map((word) => `'${word}':${Math.min(++position, MAX_POSITION)}${weight}`);
  return [
    ...lexemes(entry.question, 'A'),
    ...lexemes(entry.category, 'C'),
    ...lexemes(entry.answer, 'D'),
  ].join(' ');
}
