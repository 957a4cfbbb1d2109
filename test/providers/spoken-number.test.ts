import { describe, expect, test } from 'vitest';
import {
  spokenAmount,
  spokenNumber,
} from '../../src/providers/text-normalisation/spoken-number.ts';

describe.each([
  ['en', '42', 'forty-two'],
  ['en', '1,234', 'one thousand two hundred thirty-four'],
  ['en', '3.05', 'three point zero five'],
  ['en', '3.14', 'three point one four'],
  ['en', '-4', 'minus four'],
  ['en', '1961', 'nineteen sixty-one'],
  ['en', '1905', 'nineteen oh five'],
  ['en', '2026', 'twenty twenty-six'],
  ['en', '2001', 'two thousand one'],
  ['en', '3rd', 'third'],
  ['en', '9:05', 'nine oh five'],
  ['en', '9:00', "nine o'clock"],
  ['en', '14:30', 'fourteen thirty'],
  ['en', '+14155550123', 'plus one four one five five five five zero one two three'],
  ['en', '555-0123', 'five five five zero one two three'],
  ['en', '(415)', 'four one five'],
  ['en', '007', 'zero zero seven'],
  ['en', '12345678', 'one two three four five six seven eight'],
  [
    'en',
    '12,345,678',
    'twelve million three hundred forty-five thousand six hundred seventy-eight',
  ],
  ['fr', '91', 'quatre-vingt-onze'],
  ['fr', '3,5', 'trois virgule cinq'],
  ['fr', '14h30', 'quatorze heures trente'],
  ['fr', '1h', 'une heure'],
  ['fr', '21:15', 'vingt et une heures quinze'],
  ['de', '1.234', 'eintausendzweihundertvierunddreißig'],
  ['de', '1961', 'neunzehnhunderteinundsechzig'],
  ['de', '13:00', 'dreizehn Uhr'],
  ['de', '1:20', 'ein Uhr zwanzig'],
  ['es', '14:30', 'catorce y treinta'],
  ['es', '1:00', 'una en punto'],
  ['es', '2,5', 'dos coma cinco'],
])('%s', (language, written, spoken) => {
  test(`${written} is said: ${spoken}`, () => {
    expect(spokenNumber(written, language)).toBe(spoken);
  });
});

test.each(['24/7', 'A4', '1.2.3.4', '10.0.0.1', '3,5', '2026-11-21', 'x', '9-5', '1.234.5'])(
  'what is not one number stays: %s',
  (written) => {
    expect(spokenNumber(written, 'en')).toBeUndefined();
  },
);

test('a language that is not listed keeps its digits', () => {
  expect(spokenNumber('42', 'pl')).toBeUndefined();
});

test.each([
  ['en', '3.50', 'three dollars fifty'],
  ['en', '1', 'one dollar'],
  ['en', '1,000,000', 'one million dollars'],
  ['en', '0.125', 'zero point one two five dollars'],
])('%s: $%s is said: %s', (language, written, spoken) => {
  expect(spokenAmount(written, ['dollar', 'dollars'], language)).toBe(spoken);
});

test.each([
  ['de', '1', 'ein Euro'],
  ['de', '21,05', 'einundzwanzig Euro fünf'],
  ['es', '21', 'veintiún Euro'],
  ['fr', '1.234,5', 'mille deux cent trente-quatre Euro cinquante'],
])('%s: %s€ is said: %s', (language, written, spoken) => {
  expect(spokenAmount(written, ['Euro', 'Euro'], language)).toBe(spoken);
});
