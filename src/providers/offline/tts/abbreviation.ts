import { ABBREVIATIONS, CAPITAL_ABBREVIATIONS } from './spoken-tables.ts';
import { letterWords } from './spoken-word.ts';

/**
 * The spoken form of an abbreviation in its context; undefined when the word is not one. `word` includes its full
 * stop; the neighbours decide where it could be an ordinary word at the end of a sentence.
 */
export function expandAbbreviation(
  word: string,
  previous: string | undefined,
  next: string | undefined,
): string | undefined {
  const lower = word.toLowerCase();
  if (lower === 'no.' || lower === 'nr.') return /^\d/.test(next ?? '') ? 'number' : undefined;
  if (lower === 'st.') return /^[A-Z]/.test(previous ?? '') ? 'street' : 'saint';
  if (/^(?:[a-z]\.){2,}$/.test(lower) && !ABBREVIATIONS.has(lower))
    return letterWords(lower.replaceAll('.', ''));
  if (/^[A-Z]\.$/.test(word) && /^[A-Z]/.test(next ?? '')) return letterWords(word.slice(0, 1));
  return ABBREVIATIONS.get(lower) ?? CAPITAL_ABBREVIATIONS.get(word);
}

/** True where a name always follows, so the next capital letter begins no sentence. */
export function isTitle(word: string): boolean {
  return /^(?:mr|mrs|ms|dr|prof|no|nr)\.$/i.test(word) || /^[A-Z]\.$/.test(word);
}
