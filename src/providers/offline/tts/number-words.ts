import { toCardinal, toOrdinal } from 'n2words/en-US';

/** 417 -> "four hundred seventeen", 21 -> "twenty one". */
function cardinal(n: number): string {
  return toCardinal(n).replaceAll('-', ' ');
}

/** Reads each digit separately. */
export function digitWords(digits: string): string {
  return [...digits].map((digit) => cardinal(Number(digit))).join(' ');
}

/** True for digits that are too long for a quantity or begin with 0. */
function isCode(digits: string): boolean {
  return digits.length > 9 || (digits.length > 1 && digits.startsWith('0'));
}

/** A whole number; a code is read digit by digit. */
export function wholeNumberWords(digits: string): string {
  return isCode(digits) ? digitWords(digits) : cardinal(Number(digits));
}

/** Digits with an optional fraction: "3.05" -> "three point zero five". */
export function numberWords(text: string): string {
  const [whole, fraction] = text.replaceAll(',', '').split('.');
  const words = wholeNumberWords(whole || '0');
  return fraction ? `${words} point ${digitWords(fraction)}` : words;
}

/** 1st, 22nd, 30th. */
export function ordinalWords(digits: string): string {
  if (isCode(digits)) return `${digitWords(digits.slice(0, -1))} ${ordinalWords(digits.slice(-1))}`;
  return digits === '0' ? 'zeroth' : toOrdinal(Number(digits)).replaceAll('-', ' ');
}

/** 1984 -> "nineteen eighty four", 2005 -> "two thousand five". */
export function yearWords(digits: string): string {
  const year = Number(digits);
  const century = Math.floor(year / 100);
  const rest = year % 100;
  if (rest === 0) return century % 10 === 0 ? cardinal(year) : `${cardinal(century)} hundred`;
  if (century % 10 === 0 && rest < 10) return cardinal(year);
  return `${cardinal(century)} ${rest < 10 ? `oh ${cardinal(rest)}` : cardinal(rest)}`;
}
