import { primaryLanguage } from './vendor-url.ts';

/** Primary languages of the tags, without regions or duplicates, most likely first. */
export function primaryLanguages(tags: readonly string[]): string[] {
  return [...new Set(tags.flatMap((tag) => primaryLanguage(tag) ?? []))];
}

/** The first hints that fit the vendor's limits. */
export function boundedHints(
  hints: readonly string[],
  limits: { readonly terms: number; readonly termChars: number; readonly totalChars: number },
): string[] {
  const kept: string[] = [];
  let totalChars = 0;
  for (const hint of new Set(hints.map((one) => one.trim()))) {
    if (hint === '' || hint.length > limits.termChars) continue;
    totalChars += hint.length;
    if (kept.length === limits.terms || totalChars > limits.totalChars) break;
    kept.push(hint);
  }
  return kept;
}
