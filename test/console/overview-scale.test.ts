import { expect, test } from 'vitest';
import { axisOf } from '../../src/console/overview/scale.ts';
import fc from '../support/properties.ts';

test.each([
  [0, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [90, [0, 50, 100]],
  [1375, [0, 500, 1000, 1500]],
])('an axis for %d has the steps %j', (largest, ticks) => {
  expect(axisOf(largest).ticks).toEqual(ticks);
});

test('an axis holds everything, in a handful of even steps', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), (largest) => {
      const { top, ticks } = axisOf(largest);
      expect(top).toBeGreaterThanOrEqual(Math.max(1, largest));
      expect(ticks.at(-1)).toBe(top);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(6);
    }),
  );
});
