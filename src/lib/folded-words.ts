const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
};

const PLAIN = /^[\0-\x7f]*$/;
const PLAIN_WORD = /[a-z0-9]+(?:'[a-z]+)*/g;
const WORD = /[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}]+)*/gu;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;
const APOSTROPHES = /[‘’ʼ＇]/g;
const MAX_WORD_CHARS = 60;

/**
 * The words of a text in lower case, without accents and with plain apostrophes. A script without spaces between words
 * gives overlapping pairs of characters instead.
 */
export function foldedWords(text: string): string[] {
  const lower = text.toLowerCase();
  // Most texts are plain, and the general pattern is several times slower.
  if (PLAIN.test(lower)) return lower.match(PLAIN_WORD)?.map(bounded) ?? [];
  return wordsOf(foldLetters(lower));
}

/** The words of a text as {@link foldedWords} gives them, with their accents. */
export function scriptWords(text: string): string[] {
  const lower = text.toLowerCase();
  if (PLAIN.test(lower)) return lower.match(PLAIN_WORD)?.map(bounded) ?? [];
  return wordsOf(lower.normalize('NFC').replace(APOSTROPHES, "'"));
}

/** Lower-case letters without accents, ligatures written out, apostrophes made plain. */
export function foldLetters(lower: string): string {
  if (PLAIN.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(APOSTROPHES, "'")
    .replace(/[ßæœøłđı]/g, (letter) => LETTERS[letter] ?? letter);
}

function wordsOf(text: string): string[] {
  const words = text.match(WORD) ?? [];
  return words.flatMap((word) => (UNSPACED.test(word) ? characterPairs(word) : [bounded(word)]));
}

function bounded(word: string): string {
  return word.slice(0, MAX_WORD_CHARS);
}

function characterPairs(word: string): string[] {
  const characters = [...word];
  if (characters.length < 3) return [word];
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}
