import { expect, test } from 'vitest';
import { Random } from '../turns/random.ts';
import { untilNext } from './placement.ts';
import { fitReply, refusalsOf, roomsOf } from './questions.ts';
import type { Recording } from './recording.ts';
import { type Scenario, simulate } from './simulate.ts';
import { WorkModel } from './work-model.ts';

const WORK_MS = 2;
const SECONDS = 400;

/** A recording in which work comes at random, of random length: that of a queue whose tail is known. */
function randomWork(calls: number, msPerCallSecond: number, tail = { p50: 0, p99: 0, p999: 0 }) {
  const chance = new Random(`recording of ${calls}`);
  const everyMs = (1000 * WORK_MS) / (msPerCallSecond * calls);
  const workAt: number[] = [];
  const workMs: number[] = [];
  for (let at = 0; at < SECONDS * 1000; at += untilNext(chance, everyMs)) {
    workAt.push(at);
    workMs.push(untilNext(chance, WORK_MS));
  }
  return {
    ...{ calls, seconds: SECONDS, workAt, workMs, collectionsMs: [] },
    ...{ threadCpuMsPerCallSecond: msPerCallSecond, helpersMsPerCallSecond: 1 },
    ...{ databaseMsPerCallSecond: 0.5, startMs: 5 },
    measured: { replies: 1000, replyMs: tail, replyOwnMs: tail },
  } satisfies Recording;
}

const scenario: Scenario = {
  ...{ cores: 1, processes: 1, calls: 50, hasHelpers: false, replyMs: 0, seconds: SECONDS },
  ...{ maxCalls: 1e6, maxLagMs: Number.POSITIVE_INFINITY, slowness: 1, seed: 1 },
};

/** The waits of a reply that comes to a queue M/M/1 three times, long apart: each none, or of exponential length. */
function threeWaits(load: number): { readonly p50: number; readonly p99: number } {
  const chance = new Random('three waits');
  const wait = () => (chance.chance(load) ? untilNext(chance, WORK_MS / (1 - load)) : 0);
  const sums = Array.from({ length: 200_000 }, () => wait() + wait() + wait());
  sums.sort((a, b) => a - b);
  return { p50: sums[100_000] as number, p99: sums[198_000] as number };
}

test.each([
  ['as many calls as were recorded', 50],
  ['twice as many, from the same recording', 100],
  ['fewer than were recorded', 25],
])('replies of %s wait as in the queue that was recorded', (_, calls) => {
  const model = new WorkModel([randomWork(50, 7)]);
  const replyMs = 3000;
  const { p50, p99 } = simulate(model, { ...scenario, calls, replyMs }).replyMs;
  const known = threeWaits((7 * calls) / 1000);
  expect(p50 - replyMs - known.p50).toBeCloseTo(0, 0);
  expect((p99 - replyMs) / known.p99).toBeGreaterThan(0.88);
  expect((p99 - replyMs) / known.p99).toBeLessThan(1.12);
});

test('the same seed gives the same figures, another one others', () => {
  const model = new WorkModel([randomWork(50, 7)]);
  const run = (seed: number) => simulate(model, { ...scenario, seconds: 20, seed });
  expect(run(1)).toEqual(run(1));
  expect(run(1).replyMs).not.toEqual(run(2).replyMs);
});

test('a thread with more to do than there is time for leaves replies waiting, and that is told', () => {
  const { replyMs } = simulate(new WorkModel([randomWork(50, 7)]), {
    ...scenario,
    ...{ calls: 200, seconds: 60 },
  });
  // At 1.4 times what it has time for, it falls back by 0.4 s a second.
  expect(replyMs.p50).toBeGreaterThan(8000);
});

test('threads of several processes wait for one another where there are fewer cores than they need', () => {
  const model = new WorkModel([randomWork(50, 7)]);
  const p99 = (cores: number) =>
    simulate(model, { ...scenario, cores, processes: 4, calls: 200, seconds: 60 }).replyMs.p99;
  expect(p99(2)).toBeGreaterThan(1.5 * p99(4));
});

test('what a call takes lies between what was recorded, and stays as it was beyond', () => {
  const model = new WorkModel([randomWork(50, 8), randomWork(100, 6)]);
  expect(model.threadMs(50)).toBeCloseTo(8, 0);
  expect(model.threadMs(100)).toBeCloseTo(6, 0);
  expect(model.threadMs(200)).toBe(model.threadMs(100));
  // A share of what the process takes for all: halfway by the inverse of the calls.
  expect(model.threadMs(200 / 3)).toBeCloseTo((model.threadMs(50) + model.threadMs(100)) / 2, 5);
  expect(model.threadMs(25)).toBeGreaterThan(11);
  // On a machine that did other work, what was recorded may have grown with the calls.
  const odd = new WorkModel([randomWork(50, 4), randomWork(100, 6)]);
  expect(odd.threadMs(10)).toBe(odd.threadMs(50));
});

test('the median reply of the smallest recording is fitted', () => {
  const model = new WorkModel([randomWork(50, 7, { p50: 9, p99: 20, p999: 30 })]);
  const replyMs = fitReply(model, 1);
  const { p50 } = simulate(model, { ...scenario, seconds: 100, replyMs }).replyMs;
  expect(p50).toBeCloseTo(9, 0);
});

test('a stricter goal leaves room for fewer calls, and more cores for more of them', () => {
  const model = new WorkModel([randomWork(50, 7)]);
  const calls = (cores: number, goalsMs: readonly number[]) =>
    roomsOf(model, cores, goalsMs, { replyMs: 1, seed: 1 }).map((room) => room.calls);
  const [none = 1, strict = 0, loose = 0] = calls(2, [0.5, 20, 60]);
  const [twice] = calls(4, [20]);
  expect(none).toBe(0);
  expect(strict).toBeGreaterThan(0);
  expect(loose).toBeGreaterThan(strict);
  expect(twice).toBeGreaterThan(1.7 * strict);
});

test('a lower lag takes fewer calls under overload and keeps the replies of those better', () => {
  const model = new WorkModel([randomWork(50, 7)]);
  const [strict, loose] = refusalsOf(model, [3, 25], { replyMs: 1, seed: 1 });
  expect(strict?.asIs.calls).toBeLessThan(loose?.asIs.calls ?? 0);
  expect(strict?.asIs.replyMs.p99).toBeLessThan((loose?.asIs.replyMs.p99 ?? 0) / 1.5);
  expect(strict?.asIs.refused).toBeGreaterThan(0.2);
  // Everything takes twice as long, so half as many are taken, and no worse served than by a higher limit.
  expect(strict?.onSlowHost.calls).toBeLessThan(0.7 * (strict?.asIs.calls ?? 0));
});
