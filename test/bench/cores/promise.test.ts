import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '../../../src/config/config.ts';
import { keptTo, promisedBy } from './promise.ts';

const tail = (p99: number) => ({ p50: 2, p99, p999: 2 * p99 });
const curve = [
  { calls: 50, simulated: tail(9), onSlowHost: tail(24) },
  { calls: 75, simulated: tail(12), onSlowHost: tail(40) },
  {
    calls: 100,
    measured: { replies: 600, replyMs: tail(30), replyOwnMs: tail(26) },
    simulated: tail(20),
    onSlowHost: tail(90),
  },
  { calls: 125, simulated: tail(24), onSlowHost: tail(20) },
];
const outcome = (p99: number) => ({
  ...{ calls: 90, fullest: 90, replyMs: tail(p99), refused: 0.4, coresUsed: 0.8, threadUsed: 0.8 },
});
const refusals = [3, 5, 8].map((maxLagMs) => ({
  ...{ maxLagMs, asIs: outcome(9 * maxLagMs), onSlowHost: outcome(9 * maxLagMs) },
}));

test('a promise holds up to the row before the first that breaks it, measured or simulated', () => {
  const sentence = keptTo(curve, refusals);
  expect(sentence).toBe(
    'Added to a reply, in 99 of 100: at most 25 ms with up to 75 calls on a core, and up to 50 on a host half as fast; at most 50 ms under overload with a `MAX_LAG_MS` of up to 5.',
  );
  expect(promisedBy(sentence)).toEqual({ calls: 75, lagMs: 5 });
});

test('one that the first row breaks holds for none, one that no row breaks for all', () => {
  const [, , third] = curve;
  expect(promisedBy(keptTo(third ? [third] : [], refusals.slice(2)))).toEqual({
    calls: 0,
  });
  expect(promisedBy(keptTo(curve.slice(0, 2), refusals.slice(0, 2)))).toEqual({
    ...{ calls: 75, lagMs: 5 },
  });
});

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/scale.md'), 'utf8');
const promised = promisedBy(page);

test.skipIf(!promised)('the defaults are within what was measured to keep the promise', () => {
  const { maxCalls, maxLagMs } = parseConfig({});
  expect(maxCalls).toBeLessThanOrEqual(promised?.calls ?? 0);
  // Where no lag keeps the promise, the page says so, and the number of calls has to.
  expect(maxLagMs).toBeLessThanOrEqual(promised?.lagMs ?? Number.POSITIVE_INFINITY);
});
