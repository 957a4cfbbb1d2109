import { expect, test } from 'vitest';
import { BytePace } from '../../src/lib/byte-pace.ts';

test('what is over the burst waits for as long as its bytes take at the rate, each party by itself', () => {
  let now = 0;
  const pace = new BytePace({ bytesPerSecond: 1000, burstBytes: 3000 }, () => now);
  expect([1000, 2000, 500, 1000].map((bytes) => pace.take('a', bytes))).toEqual([0, 0, 500, 1500]);
  expect(pace.take('b', 3000)).toBe(0);
  // Of 4500 bytes 4000 are paid off: 2500 more are as many as may come at once.
  now = 4000;
  expect([2500, 100].map((bytes) => pace.take('a', bytes))).toEqual([0, 100]);
  now = 60_000;
  expect(pace.take('a', 3000)).toBe(0);
});

test('what would wait too long is not granted, and is not paid for', () => {
  const pace = new BytePace({ bytesPerSecond: 1000, burstBytes: 3000 }, () => 0);
  expect([4000, 3000, 3000, 1000].map((bytes) => pace.take('a', bytes, 2000))).toEqual([
    1000, 4000, 4000, 2000,
  ]);
});
