import { expect, test } from 'vitest';
import { TermCounter } from '../../src/knowledge/indexing/term-counter.ts';

test('names and terms are words that carry meaning, the most frequent first, longer ones before', () => {
  const terms = new TermCounter();
  terms.add('The cancellation fee is due. A cancellation fee of 10 pounds. Ask Ada Byron.', 'en');
  expect(terms.top(4)).toEqual(['cancellation fee', 'cancellation', 'fee', 'Ask Ada Byron']);
  expect(terms.top(99)).not.toContain('the cancellation');
});

test('what is counted is bounded', () => {
  const terms = new TermCounter();
  const letters = 'abcdefghij';
  const word = (i: number) => [...String(i)].map((digit) => letters[Number(digit)]).join('x');
  terms.add(Array.from({ length: 30_000 }, (_, i) => word(i + 100)).join('. '), 'en');
  expect(terms.top(1e6).length).toBe(5000);
});
