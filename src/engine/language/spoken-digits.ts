import type { Language } from './language.ts';
import { wordsOf } from './words.ts';

export interface SpokenDigits {
  /** Digits in the text, spoken or written. */
  readonly count: number;
  /** The number of separate numbers at the end of the text. */
  readonly tailGroups: number;
  /** The text's last word is a number, a separator of numbers, or a single letter of a code. */
  readonly endsInNumber: boolean;
}

const NUMERIC = /^(?=[.,:/@+-]*\d)[\d.,:/@+-]+$/;

function digitsIn(word: string, language: Language): number {
  if (NUMERIC.test(word)) return word.replaceAll(/\D/g, '').length;
  if (language.digits.matchAt([word], 0)) return 1;
  // Tens and teens stand for two digits; a unit after a ten is counted with it.
  return language.numbers.matchAt([word], 0) ? 2 : 0;
}

/** Counts digits the way people dictate them: "four one five, 55, double two". */
export function spokenDigits(text: string, language: Language): SpokenDigits {
  const words = wordsOf(text);
  let count = 0;
  let tailGroups = 0;
  let isAfterTen = false;
  for (const word of words) {
    const digits = digitsIn(word, language);
    const numeric = NUMERIC.test(word);
    if (digits === 0) tailGroups = 0;
    else {
      const isUnitOfTen = isAfterTen && !numeric && digits === 1;
      if (!isUnitOfTen) {
        count += digits;
        tailGroups++;
      }
    }
    isAfterTen = !numeric && digits === 2;
  }
  const last = words.at(-1);
  const endsInNumber = last !== undefined && digitsIn(last, language) > 0;
  return { count, tailGroups, endsInNumber };
}
