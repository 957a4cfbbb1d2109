import { expect, test } from 'vitest';
import { repeat } from '../../src/lib/repeat.ts';
import { ManualClock } from '../support/manual-clock.ts';

test('work is repeated so long after its end, never twice at once, and not after it was stopped', async () => {
  const clock = new ManualClock();
  const ends: (() => void)[] = [];
  const stop = repeat(clock, 100, () => new Promise((resolve) => ends.push(resolve)));
  await clock.advance(99);
  expect(ends).toHaveLength(0);
  await clock.advance(1);
  await clock.advance(1000);
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await clock.advance(100);
  expect(ends).toHaveLength(2);
  stop();
  ends[1]?.();
  await clock.advance(1000);
  expect(ends).toHaveLength(2);
});
