import { expect, test } from 'vitest';
import type { CallEvent } from '../../src/engine/machine/events.ts';
import { type Leaving, momentToMove } from '../../src/session/hand-over.ts';
import { CallHarness, type World } from '../support/call-harness.ts';
import { callSettings } from '../support/call-settings.ts';
import { ManualClock } from '../support/manual-clock.ts';

const tool = (name: string, async: boolean) => ({
  definition: { name, description: '', parameters: { type: 'object' } },
  ...{ async, readOnly: false, timeoutMs: 60_000, lines: [] },
});

/** Asks when a call in this state may move. Returns when it did, ms after it was asked, and what its playout did. */
async function ask(
  { call }: CallHarness,
  {
    untilMs = 60_000,
    mayLeave = () => true,
    pausesAfterMs = 0,
    isOver = () => false,
    during,
  }: Partial<Leaving> & {
    readonly pausesAfterMs?: number;
    readonly isOver?: (now: number) => boolean;
    readonly during?: (now: number) => void;
  } = {},
) {
  const clock = new ManualClock(0);
  const did: string[] = [];
  let pausedAt = Number.POSITIVE_INFINITY;
  const playout = {
    pause() {
      did.push('pause');
      pausedAt = clock.now();
    },
    unpause: () => void did.push('unpause'),
    hasPaused: () => clock.now() >= pausedAt + pausesAfterMs,
  };
  let movedAt: number | undefined;
  const moving = { clock, untilMs, mayLeave, isOver: () => isOver(clock.now()) };
  void momentToMove(call, playout, moving).then(() => {
    movedAt = clock.now();
  });
  while (movedAt === undefined && clock.now() < 100_000) {
    during?.(clock.now());
    await clock.advance(20);
  }
  return { movedAt, did };
}

const silent = { message: '', mode: 'assistant-waits-for-user', interruptible: true } as const;
const quiet = (world: World = {}) =>
  new CallHarness({ ...world, settings: { welcome: silent, ...world.settings } }).answer();

test('a call at rest moves at once', async () => {
  const call = quiet();
  call.runTo(1000);
  expect(await ask(call)).toEqual({ movedAt: 0, did: ['pause'] });
});

const busy: readonly (readonly [string, () => CallHarness])[] = [
  ['has not been answered', () => new CallHarness()],
  [
    'is spoken in',
    () => {
      const call = quiet().at(1000, { type: 'vad.start', onsetAt: 920 });
      call.runTo(1100);
      return call;
    },
  ],
  [
    'pauses within a turn',
    () => {
      const call = quiet();
      const end = call.says(1000, 'I want to book a');
      call.runTo(end + 400);
      return call;
    },
  ],
  [
    'has keys pressed in it',
    () => {
      const call = quiet({ settings: { dtmfInput: true } }).at(1000, { type: 'dtmf', digit: '1' });
      call.runTo(1500);
      return call;
    },
  ],
  [
    'waits for the model',
    () => {
      const call = quiet({ modelMs: 3000 });
      const end = call.says(1000, 'Is it open?');
      call.runTo(end + 1000);
      return call;
    },
  ],
  [
    'is spoken in by a person of the team',
    () => {
      const call = quiet().at(1000, { type: 'control.takeOver', by: 'Bo' });
      call.runTo(1500);
      return call;
    },
  ],
  [
    'waits for a tool',
    () => {
      const call = quiet({
        settings: { tools: [tool('book', false)] },
        model: () => ({ calls: [{ id: 't1', name: 'book' }] }),
        tool: () => ({ afterMs: 20_000, result: 'done' }),
      });
      const end = call.says(1000, 'Book it.');
      call.runTo(end + 2000);
      return call;
    },
  ],
  [
    'runs a tool for which nobody waits',
    () => {
      const call = quiet({
        settings: { tools: [tool('later', true)] },
        model: (_text, n) =>
          n === 0 ? { calls: [{ id: 't1', name: 'later' }] } : { pieces: ['All right.'] },
        tool: () => ({ afterMs: 30_000, result: 'done' }),
      });
      const end = call.says(1000, 'Send it.');
      call.runTo(end + 6000);
      expect(call.call.view.assistant).toBe('idle');
      return call;
    },
  ],
  [
    'is being transferred',
    () => {
      const transfer = { ...callSettings().transfer, phoneNumber: '+14155550123' };
      const call = quiet({ settings: { callType: 'phone', transfer } });
      call.at(1000, { type: 'control.forward' });
      call.runTo(6000);
      expect(call.of('leg.dial')).toHaveLength(1);
      return call;
    },
  ],
];

test.each(busy)('a call that %s stays until its time is up', async (_what, inProgress) => {
  const call = inProgress();
  const { movedAt, did } = await ask(call, { untilMs: 2000 });
  expect(movedAt).toBe(2000);
  expect(did).toEqual(['pause']);
});

test('a call in which caller and operator talk moves, whatever is said', async () => {
  const transfer = {
    ...callSettings().transfer,
    ...{ phoneNumber: '+14155550123', mode: 'blind' as const },
  };
  const call = quiet({ settings: { callType: 'phone', transfer } });
  call.at(1000, { type: 'control.forward' });
  call.runTo(6000);
  const legId = call.of('leg.dial')[0]?.legId ?? 0;
  call.at(6100, { type: 'operator.answered', legId });
  call.runTo(7000);
  expect(call.call.view.lifecycle).toBe('forwarded');
  expect((await ask(call)).movedAt).toBe(0);
});

test('an answer that is written to its end may move while it is spoken, at the end of a word', async () => {
  const call = quiet({ model: () => 'We are open from nine to six on every day but Sunday.' });
  const end = call.says(1000, 'Is it open?');
  call.runTo(end + 1500);
  expect(call.call.view.assistant).toBe('speaking');
  expect(await ask(call, { pausesAfterMs: 300 })).toEqual({ movedAt: 300, did: ['pause'] });
});

test('a word that does not end is waited for no longer than a second and a half beyond the time', async () => {
  const call = quiet();
  call.runTo(1000);
  const { movedAt } = await ask(call, { untilMs: 1000, pausesAfterMs: 60_000 });
  expect(movedAt).toBe(2500);
});

test('a call waits for its turn, and keeps it', async () => {
  const call = quiet();
  call.runTo(1000);
  let asked = 0;
  const { movedAt } = await ask(call, { mayLeave: () => ++asked === 4, pausesAfterMs: 100 });
  expect(movedAt).toBe(160);
  expect(asked).toBe(4);
});

test('a caller who begins to speak before the word has ended is heard out first', async () => {
  const call = quiet();
  call.runTo(1000);
  const say = (now: number, at: number, event: CallEvent) => {
    if (now === at) call.at(call.now, event).runTo(call.now + 1);
  };
  const { movedAt, did } = await ask(call, {
    pausesAfterMs: 200,
    during(now) {
      say(now, 100, { type: 'vad.start', onsetAt: 1000 });
      say(now, 600, { type: 'vad.stop', speechEndAt: 1100 });
      if (now === 640) call.runTo(call.now + 5000);
    },
  });
  expect(did).toEqual(['pause', 'unpause', 'pause']);
  expect(movedAt).toBeGreaterThanOrEqual(840);
  expect(movedAt).toBeLessThanOrEqual(900);
});

test('a call that ends meanwhile need not move', async () => {
  const call = quiet({ modelMs: 3000 });
  const end = call.says(1000, 'Is it open?');
  call.runTo(end + 1000);
  expect((await ask(call, { isOver: (now) => now >= 500 })).movedAt).toBe(500);
  const idle = quiet();
  idle.runTo(1000);
  const waiting = { mayLeave: () => false, isOver: (now: number) => now >= 500 };
  expect((await ask(idle, waiting)).movedAt).toBe(500);
});
