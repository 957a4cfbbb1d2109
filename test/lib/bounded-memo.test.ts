import { expect, test } from 'vitest';
import { boundedMemo } from '../../src/lib/bounded-memo.ts';

test('computes once what it still remembers, and forgets the oldest', () => {
  const asked: string[] = [];
  const length = boundedMemo(2, (text) => {
    asked.push(text);
    return text.length === 0 ? undefined : text.length;
  });
  expect(['', 'a', '', 'a', 'bb', ''].map(length)).toEqual([
    undefined,
    1,
    undefined,
    1,
    2,
    undefined,
  ]);
  expect(asked).toEqual(['', 'a', 'bb', '']);
});
