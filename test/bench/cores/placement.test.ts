import { expect, test } from 'vitest';
import { Random } from '../turns/random.ts';
import { type Place, Placement, settledCalls } from './placement.ts';

const traffic = { everyMs: 100, holdMs: Number.POSITIVE_INFINITY };
const placed = (places: readonly Place[], calls: number) => {
  const placement = new Placement(places, traffic, new Random(1));
  for (let n = 0; n < calls; n++) placement.step();
  return { calls: places.map((place) => place.calls), refused: placement.refused };
};

test('calls go to the processes in turn', () => {
  const places = Array.from({ length: 3 }, () => ({ calls: 0, isFull: false }));
  expect(placed(places, 7)).toEqual({ calls: [3, 2, 2], refused: 0 });
});

test('one without room passes its call to the one with room and the fewest calls; without any it is refused', () => {
  const full = { calls: 9, isFull: true };
  const places = [full, { calls: 4, isFull: false }, { calls: 2, isFull: false }];
  expect(placed(places, 1).calls).toEqual([9, 4, 3]);
  expect(placed([full, { calls: 1, isFull: true }], 5)).toEqual({ calls: [9, 1], refused: 5 });
});

test('as many calls are there as come in the time that one lasts', () => {
  const settled = settledCalls(4, 400, { everyMs: 450, holdMs: 180_000 }, new Random(1));
  const calls = settled.reduce((sum, count) => sum + count, 0);
  expect(Math.abs(calls - 400)).toBeLessThan(3 * Math.sqrt(400));
  expect(settled).toHaveLength(4);
});
