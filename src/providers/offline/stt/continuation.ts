/** The part of `text` that follows the words already reported; all of it when it does not begin with them. */
export function continuationOf(text: string, reported: string): string {
  if (reported === '') return text;
  const words = text.split(' ');
  const before = reported.split(' ');
  const same = before.every((word, i) => bare(word) === bare(words[i] ?? ''));
  return same ? words.slice(before.length).join(' ') : text;
}

function bare(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}']/gu, '');
}
