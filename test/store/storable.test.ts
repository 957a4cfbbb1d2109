import { expect, test } from 'vitest';
import { storableJson, storableText } from '../../src/store/storable.ts';
import fc from '../support/properties.ts';

test.each([
  ['plain', 'plain'],
  ['a\0b\0', 'a\uFFFDb\uFFFD'],
  ['half \ud83d pair', 'half \uFFFD pair'],
  ['whole 😀 pair', 'whole 😀 pair'],
])('text %j is kept as %j', (text, kept) => {
  expect(storableText(text)).toBe(kept);
});

test('a document keeps its shape; only what Postgres refuses in it is replaced', () => {
  const value = { 'k\0': ['\ud800', { deep: 'a\0' }], n: 1, b: null, text: 'written: \\u0000' };
  expect(JSON.parse(storableJson(value))).toEqual({
    'k\uFFFD': ['\uFFFD', { deep: 'a\uFFFD' }],
    n: 1,
    b: null,
    text: 'written: \\u0000',
  });
});

test('a document without such text comes through unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      if (!text.includes('\\u0000') && text.isWellFormed() && !/\\ud[89a-f]/.test(text)) {
        expect(storableJson(value)).toBe(text);
      }
    }),
  );
});
