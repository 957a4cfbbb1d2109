import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/lib/virtual-clock.ts';
import type { Timer } from '../../src/ports/clock.ts';
import fc from '../support/properties.ts';

const step = fc.oneof(
  fc.record({ does: fc.constant('set' as const), delayMs: fc.integer({ min: -2, max: 40 }) }),
  fc.record({ does: fc.constant('clear' as const), n: fc.nat(30) }),
  fc.record({ does: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 9 }) }),
);

test('timers fire in the order of due time and setting, whichever are cleared', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const clock = new VirtualClock();
      const timers: Timer[] = [];
      const fired: number[] = [];
      const expected: number[] = [];
      let waiting: { n: number; due: number }[] = [];
      for (const each of steps) {
        if (each.does === 'set') {
          const n = timers.length;
          timers.push(clock.setTimeout(() => fired.push(n), each.delayMs));
          waiting.push({ n, due: clock.now() + Math.max(0, each.delayMs) });
        } else if (each.does === 'clear') {
          clock.clearTimeout(timers[each.n]);
          waiting = waiting.filter(({ n }) => n !== each.n);
        } else {
          const to = clock.now() + each.ms;
          const due = waiting.filter((timer) => timer.due <= to);
          expected.push(...due.toSorted((a, b) => a.due - b.due || a.n - b.n).map(({ n }) => n));
          waiting = waiting.filter((timer) => timer.due > to);
          clock.advanceTo(to);
        }
        expect(fired).toEqual(expected);
        const dues = waiting.map(({ due }) => due);
        expect(clock.nextDueAt()).toBe(dues.length > 0 ? Math.min(...dues) : undefined);
      }
    }),
  );
});

test('the last timer moves up where the one that it takes the place of was cleared', () => {
  const clock = new VirtualClock();
  const fired: number[] = [];
  const set = (ms: number) => clock.setTimeout(() => fired.push(ms), ms);
  const [, second] = [14, 30, 26, 3, 27, 4, 5].map(set);
  clock.clearTimeout(second);
  clock.advanceTo(40);
  expect(fired).toEqual([3, 4, 5, 14, 26, 27]);
});

test('a timer that was cleared long before it is due holds nothing', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const clock = new VirtualClock();
  clock.setTimeout(() => {}, 10);
  const held = (() => {
    const held = { call: 'over' };
    clock.clearTimeout(clock.setTimeout(() => held.call, 3_600_000));
    return new WeakRef(held);
  })();
  await nextTurn();
  collect();
  expect(held.deref()).toBeUndefined();
  expect(clock.nextDueAt()).toBe(10);
});
