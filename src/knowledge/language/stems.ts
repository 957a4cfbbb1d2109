import snowball, { type Stemmer } from 'snowball-stemmers';
import { foldLetters, scriptWords } from '../../lib/folded-words.ts';
import type { LanguageCode } from '../../ports/knowledge.ts';
import { wordsOfLanguage } from './language-words.ts';

/** The Snowball algorithm of each language that has one. */
const ALGORITHMS: Readonly<Record<LanguageCode, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  cs: 'czech',
  da: 'danish',
  de: 'german',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  hu: 'hungarian',
  hy: 'armenian',
  it: 'italian',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sl: 'slovene',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
};

const MAX_KEPT_STEMS = 20_000;

/** Stems words of one language. A stem takes 10 µs, so the latest are cached. */
class KeptStems {
  readonly #stemmer: Stemmer;
  readonly #stems = new Map<string, string>();

  constructor(language: LanguageCode) {
    this.#stemmer = snowball.newStemmer(ALGORITHMS[language]);
  }

  stem(word: string): string {
    const kept = this.#stems.get(word);
    if (kept !== undefined) return kept;
    const stem = foldLetters(this.#stemmer.stem(word)) || foldLetters(word);
    if (this.#stems.size >= MAX_KEPT_STEMS) this.#stems.clear();
    this.#stems.set(word, stem);
    return stem;
  }
}

const kept = new Map<LanguageCode, KeptStems>();

/** The stem of a lower-case word, without accents; a word with a digit stays as it is. */
export function stemOf(word: string, language: LanguageCode): string {
  if (/\p{N}/u.test(word)) return foldLetters(word);
  const stems = kept.get(language) ?? new KeptStems(language);
  kept.set(language, stems);
  return stems.stem(word);
}

/** The stems of a text's content words, in order. */
export function termsOf(text: string, language: LanguageCode): string[] {
  const { functionWords } = wordsOfLanguage(language);
  const terms: string[] = [];
  for (const word of plainWords(text))
    if (!functionWords.has(foldLetters(word))) terms.push(stemOf(word, language));
  return terms;
}

/** The words of a text in lower case, with accents; "l'heure" is two words, "Anna's" is "anna". */
export function plainWords(text: string): string[] {
  return scriptWords(text)
    .flatMap((word) => (word.includes("'") ? word.replace(/'s?$/, '').split("'") : word))
    .filter((word) => word !== '');
}
