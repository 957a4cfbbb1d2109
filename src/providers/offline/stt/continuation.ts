/** The part of `text` that follows the words already reported; all of it when it does not begin with them. */
export function continuationOf(text: string, told: string): string {
  if (told === '') return text;
  const words = text.split(' ');
  const before = told.split(' ');
  const same = before.every((word, i) => bare(word) === bare(words[i] ?? ''));
  return same ? words.slice(before.length).join(' ') : text;
}

function bare(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}']/gu, '');
}
