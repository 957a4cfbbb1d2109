import { expect, test } from 'vitest';
import type { Leaving } from '../../src/session/hand-over.ts';
import { SessionRegistry } from '../../src/session/session-registry.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** When each call of a process leaves it, ms after it was told to go; all of them could leave at once. */
async function leavingTimes(calls: number, graceMs: number): Promise<number[]> {
  const clock = new ManualClock();
  const wait = (ms: number) => new Promise<void>((resolve) => clock.setTimeout(resolve, ms));
  const registry = new SessionRegistry<never>(calls);
  const startedAt = clock.now();
  const left: number[] = [];
  for (let i = 0; i < calls; i++) {
    const finished = Promise.withResolvers<void>();
    const session = {
      callId: `call-${i}`,
      finished: finished.promise,
      async handOver({ untilMs, mayLeave }: Leaving) {
        while (clock.now() < untilMs && !mayLeave()) await wait(5);
        left.push(clock.now() - startedAt);
        finished.resolve();
      },
    };
    registry.reserve();
    registry.add(session as never);
  }
  const isOver = registry.handOver({ wait, now: () => clock.now() }, startedAt + graceMs, {
    giveUp: async () => undefined,
    arrived: async (ids) => ids,
  });
  await clock.advance(graceMs + 1000);
  await isOver;
  return left;
}

test('calls that could leave at once leave one after the other, ten a second', async () => {
  expect(await leavingTimes(5, 30_000)).toEqual([0, 100, 200, 300, 400]);
});

test('more calls than that leave faster: all within half of the time', async () => {
  const left = await leavingTimes(100, 4000);
  expect(left).toHaveLength(100);
  expect(left.at(-1)).toBeLessThan(2500);
  expect(left.at(-1)).toBeGreaterThan(1900);
});

/** A process without calls, of which one may still be set up, that waits and asks on a clock of its own. */
function emptyRig() {
  const clock = new ManualClock();
  const registry = new SessionRegistry<never>(5);
  let waits = 0;
  const wait = (ms: number) => {
    waits++;
    return new Promise<void>((resolve) => clock.setTimeout(resolve, ms));
  };
  const asked: (readonly string[])[] = [];
  const receivers = {
    giveUp: async () => undefined,
    async arrived(ids: readonly string[]) {
      asked.push(ids);
      return ids;
    },
  };
  const handOver = (graceMs: number) =>
    registry.handOver({ wait, now: () => clock.now() }, clock.now() + graceMs, receivers);
  return { clock, registry, asked, handOver, waits: () => waits };
}

test('a process without calls waits for nothing when it is told to go, and asks nobody', async () => {
  const { asked, handOver, waits } = emptyRig();
  await handOver(10_000);
  expect(waits()).toBe(0);
  expect(asked).toEqual([]);
});

test.each([
  ['for as long as there is time', false, 10_000],
  ['no longer than that takes', true, 3000],
])('a call that is being set up is waited for %s', async (_what, isGivenUp, overAfterMs) => {
  const { clock, registry, asked, handOver } = emptyRig();
  registry.reserve();
  let isOver = false;
  void handOver(10_000).then(() => {
    isOver = true;
  });
  await clock.advance(2990);
  if (isGivenUp) registry.release();
  await clock.advance(overAfterMs - 2991);
  expect(isOver).toBe(false);
  await clock.advance(1);
  expect(isOver).toBe(true);
  expect(asked).toEqual([]);
});
