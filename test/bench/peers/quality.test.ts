import { expect, test } from 'vitest';
import { addedMs, isGood } from './quality.ts';

const REPLIES = Array.from({ length: 100 }, (_, n) => ({ turn: n % 2, ms: n % 2 ? 2500 : 300 }));

const point = (changed: object = {}) => ({
  replies: REPLIES,
  lateFramesPercent: 0,
  unansweredPercent: 0,
  lost: {},
  refused: {},
  ...changed,
});
const FEW = point();

/** So many of the replies later than usual. */
const later = (count: number, byMs: number) =>
  point({
    replies: REPLIES.map((reply, n) => (n < count ? { ...reply, ms: reply.ms + byMs } : reply)),
  });

test('a reply is later than others to the same turn, however long that one waits by rule', () => {
  expect(addedMs(later(2, 70), FEW).slice(0, 4)).toEqual([70, 70, 0, 0]);
});

test('one late reply of a hundred is good, two are not', () => {
  expect(isGood(later(100, 90), FEW)).toBe(true);
  expect(isGood(later(1, 1000), FEW)).toBe(true);
  expect(isGood(later(2, 101), FEW)).toBe(false);
});

test('what is as often so with a few calls is no fault of the load', () => {
  expect(isGood(later(5, 2000), later(5, 2000))).toBe(true);
});

test.each([
  { lateFramesPercent: 1.1 },
  { unansweredPercent: 1.1 },
  { lost: { 1006: 1 } },
  { refused: { 'not answered': 1 } },
])('%o is no good', (changed) => {
  expect(isGood(point(changed), FEW)).toBe(false);
});
