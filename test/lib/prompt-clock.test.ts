import { expect, test } from 'vitest';
import { PromptClock } from '../../src/lib/prompt-clock.ts';
import { VirtualClock } from '../../src/lib/virtual-clock.ts';

/** The time passes before the usual clock's own timers know of it. */
function lateClock() {
  const usual = new VirtualClock();
  let now = 0;
  const clock = new PromptClock({
    now: () => now,
    setTimeout: (callback, delayMs) => usual.setTimeout(callback, delayMs),
    clearTimeout: (timer) => usual.clearTimeout(timer),
  });
  const pass = (toMs: number) => {
    now = toMs;
  };
  return { clock, pass, usual };
}

test('a timer rings with the first ring after it is due, a part of a ms too, and no more', () => {
  const { clock, pass, usual } = lateClock();
  const rung: string[] = [];
  pass(0.7);
  clock.setTimeout(() => rung.push('b'), 2.2);
  clock.setTimeout(() => rung.push('a'), 1);
  pass(1.6);
  clock.ring();
  expect(rung).toEqual([]);
  pass(2.91);
  clock.ring();
  expect(rung).toEqual(['a', 'b']);
  clock.ring();
  usual.advanceTo(100);
  expect(rung).toEqual(['a', 'b']);
});

test('a timer rings as usual, at a whole ms, where nobody rings', () => {
  const { clock, pass, usual } = lateClock();
  let count = 0;
  clock.setTimeout(() => count++, 2.2);
  usual.advanceTo(2.9);
  expect(count).toBe(0);
  usual.advanceTo(3);
  expect(count).toBe(1);
  pass(3);
  clock.ring();
  expect(count).toBe(1);
});

test('a timer that was cleared does not ring', () => {
  const { clock, pass, usual } = lateClock();
  let count = 0;
  clock.clearTimeout(clock.setTimeout(() => count++, 5));
  clock.clearTimeout(undefined);
  pass(10);
  clock.ring();
  usual.advanceTo(10);
  expect(count).toBe(0);
});

test('a timer that a timer sets rings at once if it is due too', () => {
  const { clock, pass } = lateClock();
  const rung: string[] = [];
  clock.setTimeout(() => {
    rung.push('first');
    clock.setTimeout(() => rung.push('second'), 0);
  }, 1);
  pass(1);
  clock.ring();
  expect(rung).toEqual(['first', 'second']);
});
