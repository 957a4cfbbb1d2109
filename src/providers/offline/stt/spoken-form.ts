import type { Language } from './language.ts';

/** A written word with its punctuation, and its spoken form. */
export interface SpokenToken {
  readonly written: string;
  /** In lower case, with only the language's letters and apostrophes; empty for a token that is not spoken. */
  readonly words: readonly string[];
}

/** Longer numbers are read digit by digit. */
const LONGEST_NUMBER = 999_999_999;
const PIECE = /\d+(?:[.,]\d{3})*|[\p{L}\p{M}']+|[^\s\p{L}\p{M}\d']/gu;

/**
 * Converts a sentence to spoken words: numbers, signs, acronyms and joined words as a person would read them. `knows`
 * returns true for words with a pronunciation of their own.
 */
export function spokenForm(
  text: string,
  language: Language,
  knows: (word: string) => boolean,
): SpokenToken[] {
  return text
    .normalize('NFC')
    .replace(/[’ʼ‘]/g, "'")
    .split(/\s+/)
    .filter((written) => written !== '')
    .map((written, i, all) => ({
      written,
      words: sayHalfOfDay(written, all[i - 1]) ?? sayToken(written, language, knows),
    }));
}

/** "9 am", but not "I am". */
function sayHalfOfDay(written: string, before: string | undefined): string[] | undefined {
  const [, half] = /^([ap])\.?m\b/i.exec(written) ?? [];
  return half && /\d$/.test(before ?? '') ? [half.toLowerCase(), 'm'] : undefined;
}

function sayToken(written: string, language: Language, knows: (word: string) => boolean): string[] {
  const whole = written.toLowerCase().replace(/^[^\p{L}\d']+|[^\p{L}\d']+$/gu, '');
  if (/^[\p{L}'-]+$/u.test(whole) && knows(whole)) return [whole];
  const money = /^\W*([$€£])([\d.,]+)/.exec(written);
  const said = money
    ? written.replace(`${money[1]}${money[2]}`, `${money[2]}${money[1]}`)
    : written;
  return (said.match(PIECE) ?? []).flatMap((piece) => {
    if (/\d/.test(piece)) return sayNumber(piece, language);
    if (/\p{L}/u.test(piece)) return sayWord(piece, language, knows);
    return language.signs.get(piece)?.split(' ') ?? [];
  });
}

function sayNumber(digits: string, language: Language): string[] {
  const value = Number(digits.replace(/[.,]/g, ''));
  // A leading zero means a code or a telephone number.
  if (digits.length > 1 && (digits.startsWith('0') || value > LONGEST_NUMBER)) {
    return [...digits].flatMap((digit) => language.spellNumber(Number(digit)));
  }
  return language.spellNumber(value).split(/[ -]/);
}

function sayWord(piece: string, language: Language, knows: (word: string) => boolean): string[] {
  const bare = piece.replace(/^'+|'+$/g, '');
  const word = bare.toLowerCase();
  if (word === '') return [];
  if (knows(word)) return [word];
  // French elision as in "l'heure": both parts are words.
  const elided = /^(\p{L}+')(.+)$/u.exec(word);
  if (elided && knows(elided[1] as string)) return [elided[1] as string, elided[2] as string];
  const acronym = /^\p{Lu}{2,5}$/u.test(bare) || /^[bcdfghjklmnpqrstvwxz]+$/.test(word);
  if (acronym && word.length <= 5) return [...word].filter((letter) => letter !== "'");
  // Camel case as in "OpenHours" or "iPhone".
  const parts = bare.split(/(?<=\p{Ll})(?=\p{Lu})/u);
  if (parts.length > 1) return parts.flatMap((part) => sayWord(part, language, knows));
  return [word];
}
