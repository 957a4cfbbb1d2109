import { expect, test } from 'vitest';
import { LoopLag } from '../../src/session/loop-lag.ts';
import { SessionRegistry } from '../../src/session/session-registry.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** A loop of which every timer comes late. */
class LateClock extends ManualClock {
  lateMs = 0;

  override setTimeout(callback: () => void, delayMs: number) {
    return super.setTimeout(callback, delayMs + this.lateMs);
  }
}

function rig(maxCalls = 10) {
  const clock = new LateClock();
  const lag = new LoopLag({ clock, limitMs: 60 });
  lag.start();
  const registry = new SessionRegistry(maxCalls, lag);
  return { clock, lag, registry };
}

test('a loop that is late for a second has no room for another call, until it is well on time again', async () => {
  const { clock, lag, registry } = rig();
  await clock.advance(2000);
  expect(registry.reserve()).toBe('reserved');
  clock.lateMs = 100;
  await clock.advance(2000);
  expect(registry.reserve()).toBe('overloaded');
  expect(registry.hasRoom).toBe(false);
  // Not quite: taking calls again at once would have it late again.
  clock.lateMs = 40;
  await clock.advance(2000);
  expect(lag.typicalMs).toBe(40);
  expect(registry.reserve()).toBe('overloaded');
  clock.lateMs = 10;
  await clock.advance(2000);
  expect(registry.reserve()).toBe('reserved');
});

test('a process without calls takes one however late its loop is', async () => {
  const { clock, registry } = rig();
  clock.lateMs = 100;
  await clock.advance(2000);
  expect(registry.hasRoom).toBe(true);
  expect(registry.reserve()).toBe('reserved');
  expect(registry.reserve()).toBe('overloaded');
  registry.release();
  expect(registry.reserve()).toBe('reserved');
});

test('a single long pause is no overload', async () => {
  const { clock, registry } = rig();
  await clock.advance(1000);
  clock.lateMs = 800;
  await clock.advance(100);
  clock.lateMs = 0;
  await clock.advance(1000);
  expect(registry.reserve()).toBe('reserved');
});

test('a place that is promised counts from the promise on', () => {
  const { registry } = rig(2);
  expect([registry.reserve(), registry.reserve(), registry.reserve()]).toEqual([
    'reserved',
    'reserved',
    'full',
  ]);
  expect(registry.hasRoom).toBe(false);
  registry.release();
  expect(registry.hasRoom).toBe(true);
});

test('stopped, it keeps no timer', async () => {
  const { clock, lag } = rig();
  await clock.advance(500);
  lag.stop();
  expect(clock.nextDueAt()).toBeUndefined();
});

test.each([
  ['begins', 0, 61, true],
  ['does not begin', 0, 60, false],
  ['goes on', 100, 31, true],
  ['ends', 100, 30, false],
])(
  'overload %s where the loop that was %d ms late is %d ms late',
  async (_what, before, lateMs, isOver) => {
    const { clock, lag } = rig();
    clock.lateMs = before;
    await clock.advance(4000);
    clock.lateMs = lateMs;
    await clock.advance(4000);
    for (let i = 0; i < 4; i++) {
      await clock.advance(50 + lateMs);
      expect(lag.isOver).toBe(isOver);
    }
  },
);

test('started twice, it measures once', async () => {
  const { clock, lag } = rig();
  lag.start();
  lag.stop();
  expect(clock.nextDueAt()).toBeUndefined();
});

test('a loop that is on time is not late at all', async () => {
  const { clock, lag } = rig();
  await clock.advance(2000);
  expect(lag.typicalMs).toBe(0);
});
