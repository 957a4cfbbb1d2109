import { expect, test } from 'vitest';
import { Departures } from '../../src/session/departures.ts';

const GRACE_MS = 20_000;
const BEGIN = 5000;

/** When each of the calls leaves; `takesMs` says how long it is under way, given when it left. */
function leavingTimes(count: number, takesMs: (atMs: number) => number, graceMs = GRACE_MS) {
  let now = 0;
  const clock = () => BEGIN + now;
  const departures = new Departures({ now: clock, count, untilMs: BEGIN + graceMs });
  const arrivals = new Map<string, number>();
  const left: number[] = [];
  let most = 0;
  for (; left.length < count; now += 10) {
    const there = departures.underWay.filter((id) => (arrivals.get(id) ?? 0) <= now);
    departures.arrived(there);
    const id = `call-${left.length}`;
    if (!departures.mayLeave(id)) continue;
    left.push(now);
    arrivals.set(id, now + takesMs(now));
    most = Math.max(most, departures.underWay.length);
  }
  return { left, most };
}

test('calls that arrive at once leave ten a second', () => {
  expect(leavingTimes(5, () => 0).left).toEqual([0, 100, 200, 300, 400]);
});

test('the first leaves alone, and never are more than four under way', () => {
  const { left, most } = leavingTimes(20, () => 450);
  expect(left[1]).toBe(450);
  expect(most).toBe(4);
});

test('while none arrives, the others wait where they are', () => {
  const stall = { from: 1000, to: 2900 };
  const { left } = leavingTimes(40, (at) =>
    at < stall.from || at > stall.to ? 50 : stall.to - at,
  );
  expect(left.filter((at) => at > stall.from && at < stall.to)).toHaveLength(3);
  expect(left.at(-1)).toBeLessThan(GRACE_MS / 2);
});

test('callers who do not come back keep nobody from leaving within half of the time', () => {
  const { left } = leavingTimes(100, () => Number.POSITIVE_INFINITY);
  expect(left.at(-1)).toBeLessThanOrEqual(GRACE_MS / 2);
  expect(left.at(-1)).toBeGreaterThan(GRACE_MS / 2 - 500);
});

test('who has not come back after two seconds keeps the next one no longer', () => {
  expect(leavingTimes(2, () => Number.POSITIVE_INFINITY).left).toEqual([0, 2000]);
});

test('where time is short the next one leaves at its pace, whoever is under way', () => {
  expect(leavingTimes(4, () => Number.POSITIVE_INFINITY, 4000).left).toEqual([0, 500, 1000, 1500]);
});

test('a call that was still being set up leaves after half of the time, though the first has not arrived', () => {
  let now = BEGIN;
  const departures = new Departures({ now: () => now, count: 1, untilMs: BEGIN + 2000 });
  expect(departures.mayLeave('first')).toBe(true);
  now += 999;
  expect(departures.mayLeave('late')).toBe(false);
  now += 1;
  expect(departures.mayLeave('late')).toBe(true);
});
