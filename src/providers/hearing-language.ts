import { primaryLanguage } from './vendor-url.ts';

/** The languages of a line, each once and without its region, most likely first. */
export function primaryLanguages(tags: readonly string[]): string[] {
  return [...new Set(tags.flatMap((tag) => primaryLanguage(tag) ?? []))];
}

/** Hints within a vendor's bounds: those that come first. */
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
