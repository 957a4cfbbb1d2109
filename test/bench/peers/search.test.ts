import { expect, test } from 'vitest';
import { mostOf, nextCalls, type Tried } from './search.ts';

/** What a search finds of a subject that is good up to a number of calls, and what it tried. */
function searched(limit: number, first: number): readonly Tried[] {
  const tried: Tried[] = [];
  for (let calls: number | undefined = first; calls !== undefined; calls = nextCalls(tried)) {
    tried.push({ calls, isGood: calls <= limit });
    if (tried.length > 50) throw new Error('the search does not end');
  }
  return tried;
}

test.each([
  [0, 10],
  [1, 10],
  [3, 10],
  [28, 21],
  [28, 200],
  [200, 10],
])('of at most %i calls it finds an eighth less at most, beginning with %i', (limit, first) => {
  const most = mostOf(searched(limit, first));
  expect(most).toBeLessThanOrEqual(limit);
  expect(most).toBeGreaterThanOrEqual(Math.floor(limit / 1.15));
});

test('a number that is known to be the most needs two looks or three', () => {
  expect(searched(100, 100).length).toBeLessThanOrEqual(5);
});

test('a bad number below a good one is taken for chance', () => {
  const tried = [
    { calls: 20, isGood: false },
    { calls: 30, isGood: true },
  ];
  expect(nextCalls(tried)).toBe(42);
});
