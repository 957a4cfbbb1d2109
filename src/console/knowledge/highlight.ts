/** A piece of a text: a match or the text around it. */
interface TextPart {
  readonly text: string;
  readonly hit: boolean;
}

const WORD = /[\p{L}\p{N}]+/gu;
/** Inflected words should match: two words match if one is the start of the other or both share their first letters. */
const SHORTEST_STEM = 4;
const ALIKE_CHARS = 5;
const SHORTEST_WORD = 4;

/** Splits a passage into the words that match a query and the text between them. */
export function highlight(text: string, query: string): readonly TextPart[] {
  const wanted = [...query.matchAll(WORD)].map(([word]) => word.toLowerCase()).filter(isTelling);
  const parts: { text: string; hit: boolean }[] = [];
  const push = (piece: string, hit: boolean): void => {
    const last = parts.at(-1);
    if (last?.hit === hit) last.text += piece;
    else if (piece !== '') parts.push({ text: piece, hit });
  };
  let at = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    push(text.slice(at, index), false);
    push(
      word,
      wanted.some((it) => isAlike(it, word.toLowerCase())),
    );
    at = index + word.length;
  }
  push(text.slice(at), false);
  return parts;
}

function isAlike(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length < SHORTEST_STEM) return false;
  return long.startsWith(short.slice(0, ALIKE_CHARS));
}

/** True for words long enough to carry meaning, and for any number. */
function isTelling(word: string): boolean {
  return word.length >= SHORTEST_WORD || /\d/.test(word);
}
