/** ISO/IEC 7812: every second digit from the right counts twice. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const weighed = i % 2 === 1 ? digit * 2 : digit;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}

/** Number ranges of payment cards, with their lengths: ISO/IEC 7812 as assigned to the large schemes. */
const CARD_RANGES: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(?:6011|64[4-9]|65)/, [16, 19]],
  [/^(?:30[0-5]|309|36|38|39)/, [14, 16]],
  [/^35(?:2[89]|[3-8])/, [16]],
  [/^(?:50|5[6-9]|6[037])/, [16, 18, 19]],
  [/^62/, [16, 17, 18, 19]],
];

/** A payment card's number: range, length and Luhn's check digit. */
export function isCard(digits: string): boolean {
  const ofScheme = CARD_RANGES.some(
    ([range, lengths]) => range.test(digits) && lengths.includes(digits.length),
  );
  return ofScheme && !/^(\d)\1+$/.test(digits) && passesLuhn(digits);
}

/** Lengths by country, from the IBAN registry (SWIFT, ISO 13616). */
const IBAN_LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18
  FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20
  LU20 LV21 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19
  SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** An IBAN without spaces, in capitals: length of its country and remainder 1 of 97. */
export function isIban(text: string): boolean {
  if (IBAN_LENGTHS[text.slice(0, 2)] !== text.length || !/^[A-Z]{2}\d\d[A-Z\d]+$/.test(text))
    return false;
  let remainder = 0;
  for (const character of text.slice(4) + text.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** Length of the IBAN that may begin with these two letters; undefined if no country has them. */
export const ibanLength = (country: string): number | undefined => IBAN_LENGTHS[country];

/** A routing number of a US bank: the ABA's weights 3, 7, 1 and the Federal Reserve's ranges. */
export function isRoutingNumber(digits: string): boolean {
  if (!/^(?:0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)\d{7}$/.test(digits)) return false;
  const weights = [3, 7, 1, 3, 7, 1, 3, 7, 1];
  return weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0) % 10 === 0;
}
