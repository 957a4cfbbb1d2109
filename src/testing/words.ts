/** Lower case, single spaces, plain quotation marks: how words are compared. */
export function plainWords(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();
}

/** True if the text contains the phrase, whatever the case and spacing of either. */
export function hasPhrase(text: string, phrase: string): boolean {
  return plainWords(text).includes(plainWords(phrase));
}

export const listOf = (value: string | readonly string[]): readonly string[] =>
  typeof value === 'string' ? [value] : value;

/** True if `value` is equal to `wanted`, or has at least its fields, at any depth. */
export function fits(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((item, index) => fits(value[index], item))
    );
  }
  if (typeof wanted !== 'object' || wanted === null) return Object.is(value, wanted);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(wanted).every(
    ([key, item]) =>
      Object.hasOwn(value, key) && fits((value as Record<string, unknown>)[key], item),
  );
}
