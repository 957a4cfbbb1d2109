import { expect, test } from 'vitest';
import { wordErrors } from '../../src/lib/word-errors.ts';

test.each([
  ['Ask what you can do.', 'ask what you can do', 0, 5],
  ['two nine three', '293', 0, 3],
  ['ill-disposed young man', 'ill disposed young man', 0, 4],
  ['one two three', 'one three', 1, 3],
  ['one two three', 'one and two three', 1, 3],
  ['one two three', 'one ten three', 1, 3],
  ['one two', '', 2, 2],
  ['', 'noise', 1, 0],
])('%j heard as %j: %i of %i', (spoken, heard, errors, words) => {
  expect(wordErrors(spoken, heard)).toEqual({ errors, words });
});
