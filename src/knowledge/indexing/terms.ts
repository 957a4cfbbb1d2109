import { foldedWords } from '../../lib/folded-words.ts';
import type { LanguageCode } from '../language-words.ts';
import { wordsOfLanguage } from '../language-words.ts';
import { stem } from '../stem.ts';
import { stemFrench, stemGerman, stemSpanish } from './light-stems.ts';

const STEMS: Readonly<Record<LanguageCode, (word: string) => string>> = {
  en: stemEnglish,
  fr: stemFrench,
  de: stemGerman,
  es: stemSpanish,
};

const ENGLISH_ENDINGS = ['ational', 'ation', 'ations', 'ator', 'ness', 'ful', 'ly', 'er', 'or'];

/** Beyond {@link stem}, a document and a question may differ in the kind of word: "inventor", "invention". */
function stemEnglish(word: string): string {
  for (const ending of ENGLISH_ENDINGS) {
    const rest = word.slice(0, -ending.length);
    if (rest.length >= 4 && word.endsWith(ending)) return stem(rest);
  }
  return stem(word);
}

/** What of a text can be looked up: the stems of its words that carry meaning, in their order. */
export function termsOf(text: string, language: LanguageCode): string[] {
  const { functionWords } = wordsOfLanguage(language);
  const stemOf = STEMS[language];
  return foldedWords(text)
    .flatMap((word) => word.replace(/'s?$/, '').split("'"))
    .filter((word) => word !== '' && !functionWords.has(word))
    .map(stemOf);
}
