import { expect, test } from 'vitest';
import { addedMs, chanceOf, isGood } from './quality.ts';

const REPLIES = Array.from({ length: 100 }, (_, n) => ({ turn: n % 2, ms: n % 2 ? 2500 : 300 }));

const point = (changed: object = {}) => ({
  replies: REPLIES,
  turns: REPLIES.length,
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

test('one late reply of a hundred is good, and as many more as chance makes of one', () => {
  expect(isGood(later(100, 90), FEW)).toBe(true);
  expect(isGood(later(3, 1000), FEW)).toBe(true);
  expect(isGood(later(4, 101), FEW)).toBe(false);
});

test('what chance makes is the binomial distribution', () => {
  expect(chanceOf(0, 10, 0.5)).toBe(1);
  expect(chanceOf(3, 3, 0.5)).toBeCloseTo(0.125);
  expect(chanceOf(3, 100, 0.01)).toBeCloseTo(0.0794, 4);
  expect(chanceOf(4, 100, 0.01)).toBeCloseTo(0.0184, 4);
});

test('what is as often so with a few calls is no fault of the load', () => {
  expect(isGood(later(5, 2000), later(5, 2000))).toBe(true);
});

test.each([
  { lateFramesPercent: 1.1 },
  { unansweredPercent: 4 },
  { lost: { 1006: 1 } },
  { refused: { 'not answered': 1 } },
])('%o is no good', (changed) => {
  expect(isGood(point(changed), FEW)).toBe(false);
});
