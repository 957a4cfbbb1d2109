import { eld } from 'eld/extrasmall';
import { foldedWords } from '../../lib/folded-words.ts';
import type { LanguageCode } from '../../ports/knowledge.ts';
import { isSmallWord, LANGUAGE_CODES, smallWordShare } from './language-words.ts';

const SAMPLE_CHARS = 12_000;
/** Least share of function words. Sentences have 20 to 40 %, lists of names and codes fewer. */
const LEAST_SHARE = 0.15;
const LEAST_KINDS = 5;
const DEFAULT: LanguageCode = 'en';

/**
 * The language of a document. A table of names has none and counts as English, whose stemming does the least harm.
 */
export function documentLanguage(text: string): LanguageCode {
  const sample = text.slice(0, SAMPLE_CHARS);
  const found = eld.detect(sample).language;
  const known = LANGUAGE_CODES.find((code) => code === found);
  if (known === undefined) return DEFAULT;
  const words = foldedWords(sample);
  // Several different function words are needed, since company names repeat a few: "de", "la", "des".
  const least = Math.min(LEAST_KINDS, Math.ceil(words.length * LEAST_SHARE));
  const kinds = [...new Set(words)].filter((word) => isSmallWord(word, known)).length;
  return smallWordShare(words, known) >= LEAST_SHARE && kinds >= least ? known : DEFAULT;
}

/** Bonus for the languages of the documents: most questions are asked in the documents' language. */
const PRESENT_BONUS = 0.15;

/** The language of a question; the documents' languages help, since it may be short. */
export function questionLanguage(
  question: string,
  present: ReadonlySet<LanguageCode>,
): LanguageCode {
  const words = foldedWords(question);
  const scores = eld.detect(question).getScores();
  let best: LanguageCode = DEFAULT;
  let most = 0;
  for (const code of LANGUAGE_CODES) {
    const score =
      smallWordShare(words, code) + (scores[code] ?? 0) + (present.has(code) ? PRESENT_BONUS : 0);
    if (score > most) [best, most] = [code, score];
  }
  return best;
}
