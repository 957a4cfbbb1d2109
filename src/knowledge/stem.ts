const VOWEL = /[aeiouy]/;

/**
 * A word without its most common English endings, so that "opening", "opened" and "opens" are one.
 * It need not be a word, only the same for the same word.
 */
export function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  const singular = withoutPlural(word);
  for (const ending of ['ing', 'ed', 'ment']) {
    const rest = singular.slice(0, -ending.length);
    if (singular.endsWith(ending) && rest.length >= 3 && VOWEL.test(rest)) return settled(rest);
  }
  return settled(singular);
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

/** Evens out what endings leave: a doubled consonant, a silent e, y or i. */
function settled(word: string): string {
  const single = /([bdfgmnprt])\1$/.test(word) && word.length > 4 ? word.slice(0, -1) : word;
  if (single.length < 4) return single;
  if (single.endsWith('e')) return single.slice(0, -1);
  return single.endsWith('y') ? `${single.slice(0, -1)}i` : single;
}
