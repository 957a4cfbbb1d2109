const DIGITS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** Words in the form in which they are compared: lower case, without punctuation, digits as separate words. */
function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\d/g, (digit) => ` ${DIGITS[Number(digit)]} `)
      .replace(/[-–—]/g, ' ')
      .match(/[\p{L}\p{M}'’]+/gu) ?? []
  );
}

/**
 * Counts insertions, deletions and substitutions of words, and the words spoken; their ratio is the word error rate.
 */
export function wordErrors(
  spoken: string,
  heard: string,
): { readonly errors: number; readonly words: number } {
  const reference = wordsOf(spoken);
  const hypothesis = wordsOf(heard);
  let row = [0, ...hypothesis.map((_, i) => i + 1)];
  for (const [i, word] of reference.entries()) {
    const next = [i + 1];
    for (const [j, other] of hypothesis.entries()) {
      const replaced = (row[j] ?? 0) + (word === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return { errors: row.at(-1) ?? 0, words: reference.length };
}
