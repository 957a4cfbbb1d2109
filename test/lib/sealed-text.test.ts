import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { uuidv7 } from '../../src/lib/ids.ts';
import { headOf, keyIdOf, SealedTextError, TextKey } from '../../src/lib/sealed-text.ts';
import { runs, testSeed } from '../support/effort.ts';
import fc from '../support/properties.ts';

const id = uuidv7();
const key = new TextKey(id, randomBytes(32));
const place = { table: 'messages', owner: 'WC-1', part: 'u1' };

test('any text comes back as it was, and names its key', () => {
  const run = fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
    const sealed = key.seal(text, place);
    expect(key.open(sealed, place)).toBe(text);
    expect(keyIdOf(sealed)).toBe(id);
    expect(sealed.startsWith(headOf(id))).toBe(true);
    expect(sealed).toMatch(/^[\w:-]+$/);
  });
  fc.assert(run, { numRuns: runs({ usual: 200, long: 5000 }), seed: testSeed(11) });
});

test('the same text is never sealed to the same, unless equal ones are to be counted', () => {
  const sealed = Array.from({ length: 1000 }, () => key.seal('no', place));
  expect(new Set(sealed).size).toBe(1000);
  expect(key.sealAlike('no', place)).toBe(key.sealAlike('no', place));
  expect(key.sealAlike('no', place)).not.toBe(key.sealAlike('yes', place));
  expect(key.sealAlike('no', place)).not.toBe(key.sealAlike('no', { ...place, owner: 'WC-2' }));
  expect(key.open(key.sealAlike('no', place), place)).toBe('no');
});

test.each([
  ['table', { ...place, table: 'call_events' }],
  ['owner', { ...place, owner: 'WC-2' }],
  ['part', { ...place, part: 'u2' }],
])('what was moved to another %s is refused', (_, elsewhere) => {
  expect(() => key.open(key.seal('Yes.', place), elsewhere)).toThrow(SealedTextError);
});

test('a changed text, a cut one and another key are refused', () => {
  const sealed = key.seal('Transfer ten.', place);
  const at = sealed.length - 3;
  const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
  expect(() => key.open(changed, place)).toThrow(SealedTextError);
  for (const length of [sealed.length - 4, headOf(id).length + 10, headOf(id).length])
    expect(() => key.open(sealed.slice(0, length), place)).toThrow(SealedTextError);
  expect(() => new TextKey(id, randomBytes(32)).open(sealed, place)).toThrow(SealedTextError);
});

test('what people say and secrets of version 1 have no key', () => {
  for (const text of ['', 'Hello.', 'sealed:1:0a1b2c3d:abc', 'sealed:2:short', 'sealed:2:'])
    expect(keyIdOf(text)).toBeUndefined();
});
