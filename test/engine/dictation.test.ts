import { expect, test } from 'vitest';
import { languageOf } from '../../src/engine/language/language.ts';
import { progressOf } from '../../src/engine/turn/dictation.ts';

const english = languageOf(['en-US']);

test.each([
  ['four one, two', 'open'],
  ['It is room 412', 'whole'],
  ['one, two', 'whole'],
  ['two one two, five five five, one two three four', 'whole'],
  ['I will come on Monday', 'whole'],
])('nobody asked for digits: after %j the caller is thought to be %s', (text, progress) => {
  expect(progressOf(undefined, text, english)).toBe(progress);
});
