import { describe, expect, test } from 'vitest';
import { REDACTION_KINDS } from '../../src/contract/redaction.ts';
import { isCard, isIban, isRoutingNumber } from '../../src/redaction/checksums.ts';
import { findSpans } from '../../src/redaction/find-spans.ts';
import { maskText } from '../../src/redaction/span.ts';
import fc from '../support/properties.ts';

function masked(language: string, text: string, context = ''): string {
  return maskText(text, findSpans(text, { language, kinds: REDACTION_KINDS, context }));
}

describe('what is taken out of a sentence', () => {
  test.each([
    [
      'en',
      'my card is four one one one, one one one one. one one one one double one one one thanks',
      'my card is [card] thanks',
    ],
    ['en', 'card 4111-1111-1111-1111, code CVV 123', 'card [card], code CVV [card]'],
    [
      'en',
      'routing number 021000021 and account number 000123456789',
      'routing number [bank-account] and account number [bank-account]',
    ],
    [
      'en',
      'g b two nine n w b k six zero one six one three three one nine two six eight one nine',
      '[bank-account]',
    ],
    ['en', 'it is 536-22-1234', 'it is [identity-number]'],
    [
      'en',
      'my national insurance number is QQ 12 34 56 C',
      'my national insurance number is [identity-number]',
    ],
    [
      'en',
      'call me on plus one four one five five five five two six seven one',
      'call me on [phone]',
    ],
    ['en', 'write to john dot smith at example dot co dot uk today', 'write to [email] today'],
    [
      'en',
      'this is Mary Jones, I live at 12 Baker Street, London',
      'this is [name], I live at [address]',
    ],
    ['en', 'I was born on the 3rd of May 1980', 'I was born on the [date-of-birth]'],
    [
      'es',
      'mi dni es 12345678Z, vivo en la calle Mayor 5, 28013 Madrid',
      'mi dni es [identity-number], vivo en la [address]',
    ],
    [
      'es',
      'mi teléfono es seiscientos doce treinta y cuatro cincuenta y seis setenta y ocho',
      'mi teléfono es [phone]',
    ],
    ['es', 'ana punto ruiz arroba ejemplo punto es', '[email]'],
    ['fr', 'zéro six, douze, trente-quatre, cinquante-six, soixante-dix-huit', '[phone]'],
    [
      'fr',
      "je m'appelle Luc Dupont et j'ai de l'asthme",
      "je m'appelle [name] et j'ai de l'[health]",
    ],
    [
      'de',
      'ich heiße Jörg Müller, geboren am dritten Mai neunzehnhundertachtzig',
      'ich heiße [name], geboren am [date-of-birth]',
    ],
    ['de', 'Meine IBAN ist DE89 3704 0044 0532 0130 00.', 'Meine IBAN ist [bank-account].'],
  ])('%s: %s', (language, text, expected) => {
    expect(masked(language, text)).toBe(expected);
  });

  test.each([
    ['en', 'the order number is 4155552671 and it costs 49.90 dollars at 10:30'],
    ['en', 'we were thirty two people for five days in two thousand and nineteen'],
    ['es', 'el pedido 8734651209 costó ciento veinte euros'],
    ['fr', 'la facture 20260312 de 1 250 euros'],
    ['de', 'Bestellnummer 8734651209, zwölf Euro fünfzig, um 18:45 Uhr'],
    ['en', 'I am very happy and this is really important'],
  ])('%s: nothing of %s', (language, text) => {
    expect(masked(language, text)).toBe(text);
  });

  test('a language without rules is judged as English, whatever its tag', () => {
    for (const tag of ['sv-SE', 'constructor'])
      expect(masked(tag, 'my name is Ana Ruiz')).toBe('my name is [name]');
  });

  test('an answer is judged by its question', () => {
    expect(masked('en', 'the third of May 1980', 'What is your date of birth?')).toBe(
      'the [date-of-birth]',
    );
    expect(masked('en', 'the third of May 1980', 'When shall we come?')).toContain('May');
    expect(masked('en', 'niamh young', 'May I have your name, please?')).toBe('[name]');
  });
});

test('check digits tell a number from one that differs in a digit', () => {
  expect(isCard('4111111111111111')).toBe(true);
  expect(isIban('GB29NWBK60161331926819')).toBe(true);
  expect(isRoutingNumber('021000021')).toBe(true);
  for (const [number, check] of [
    ['4111111111111111', isCard],
    ['GB29NWBK60161331926819', isIban],
    ['021000021', isRoutingNumber],
  ] as const)
    for (let at = 4; at < number.length; at++) {
      const digit = (Number(number[at]) + 1) % 10;
      if (/\d/.test(number.charAt(at)))
        expect(
          check(number.slice(0, at) + digit + number.slice(at + 1)),
          `${number} at ${at}`,
        ).toBe(false);
    }
});

test('spans lie within the text, in order, whatever the text is', () => {
  const word = fc.constantFrom(
    'my',
    'card',
    'four',
    '41',
    'at',
    'dot',
    'com',
    'name is',
    'Ana',
    'born',
    'May',
    ',',
    '.',
    '+',
    'rue',
    'calle',
    'double',
    "l'",
    '😀',
    'Straße',
    'é',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.array(word, { maxLength: 60 }).map((words) => words.join(' ')),
      ),
      fc.constantFrom('en', 'es', 'fr', 'de', 'xx'),
      (text, language) => {
        let last = 0;
        for (const { start, end } of findSpans(text, {
          language,
          kinds: REDACTION_KINDS,
          words: ['Ana'],
        })) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          last = end;
        }
      },
    ),
  );
});
