import { expect, test } from 'vitest';
import { foldedWords } from '../../src/lib/folded-words.ts';

test.each([
  ['What are YOUR opening-hours?', ['what', 'are', 'your', 'opening', 'hours']],
  ["Don't  say ‘it’s’", ["don't", 'say', "it's"]],
  ['Öffnungszeiten, Straße', ['offnungszeiten', 'strasse']],
  ['Où êtes-vous ?', ['ou', 'etes', 'vous']],
  ['cafe\u0301', ['cafe']],
  ['КАКАЯ цена', ['какая', 'цена']],
  ['営業時間', ['営業', '業時', '時間']],
  ['9:30 h, €5', ['9', '30', 'h', '5']],
  ['ＦＵＬＬ ｗｉｄｔｈ', ['full', 'width']],
  ['', []],
  ["?! ' \0", []],
])('%j', (text, words) => {
  expect(foldedWords(text)).toEqual(words);
});

test('a word without end is cut', () => {
  expect(foldedWords('x'.repeat(1_000))[0]).toHaveLength(60);
  expect(foldedWords('я'.repeat(1_000))[0]).toHaveLength(60);
});
