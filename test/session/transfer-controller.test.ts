import { expect, test } from 'vitest';
import type { CallEvent } from '../../src/engine/machine/events.ts';
import type { OperatorLine } from '../../src/ports/operator-line.ts';
import type { OperatorBriefing } from '../../src/session/operator/operator-briefing.ts';
import { TransferController } from '../../src/session/operator/transfer-controller.ts';
import { Ticker } from '../../src/session/ticker.ts';
import { callSettings } from '../support/call-settings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MemoryLeg } from '../support/memory-leg.ts';
import { ScriptedOperatorLine } from '../support/scripted-operator.ts';

const DIAL = {
  type: 'leg.dial',
  legId: 1,
  to: '+14155550123',
  name: 'Ann',
  timeoutMs: 20_000,
  mode: 'blind',
  keepLegs: true,
} as const;

function setUp({
  hasLine = true,
  durable = async () => true,
  keysAreSound = false,
}: {
  hasLine?: boolean;
  durable?: () => Promise<boolean>;
  keysAreSound?: boolean;
} = {}) {
  const clock = new ManualClock(1000);
  const ticker = new Ticker(clock);
  const line = new ScriptedOperatorLine(clock);
  const keys: string[] = [];
  const sendDtmf = (digits: string) => void keys.push(digits);
  const caller = Object.assign(new MemoryLeg({ clock }), { sendDtmf, keysAreSound });
  const events: CallEvent[] = [];
  const bridged: boolean[] = [];
  const tapped: number[] = [];
  const briefings: (() => void)[] = [];
  const controller = new TransferController({
    ...{ callId: 'c1', clock, ticker, caller, durable },
    line: hasLine ? (line as OperatorLine) : undefined,
    settings: callSettings(),
    emit: (event) => void events.push(event),
    createBriefing(_leg, _settings, _onCommand, onFailure) {
      briefings.push(onFailure);
      return { close: () => undefined, audio: () => undefined } as unknown as OperatorBriefing;
    },
    onBridged: (record) => void bridged.push(record),
    tap: (_pcm, atMs) => void tapped.push(atMs),
  });
  const settle = () => clock.advance(0);
  /** The operator is on the line, and talks with the caller. */
  const talk = async () => {
    controller.carryOut(DIAL);
    await settle();
    line.last.answer();
    controller.carryOut({ type: 'leg.bridge', legId: 1, record: true });
  };
  return {
    clock,
    ticker,
    controller,
    line,
    caller,
    keys,
    events,
    bridged,
    tapped,
    briefings,
    settle,
    talk,
  };
}

const loud = ({ sent }: MemoryLeg) =>
  sent.reduce((sum, { pcm }) => sum + pcm.filter((sample) => sample > 500).length, 0);

test('[X2] an operator is dialled once it is recorded that they are', async () => {
  const stored = Promise.withResolvers<boolean>();
  const { controller, line, settle } = setUp({ durable: () => stored.promise });
  controller.carryOut({ ...DIAL, keepLegs: false });
  await settle();
  expect(line.dialled).toEqual([]);
  stored.resolve(true);
  await settle();
  expect(line.last.request).toEqual({
    ...{ callId: 'c1', legId: 1, to: '+14155550123', ringMs: 20_000, mayHandOver: true },
  });
});

test.each([
  ['blind', true, false],
  ['announced', false, false],
  ['blind', false, true],
] as const)(
  '[X2] in a transfer that is %s and keeps its legs (%s) the carrier may hand over: %s',
  async (mode, keepLegs, may) => {
    const { controller, line, settle } = setUp();
    controller.carryOut({ ...DIAL, mode, keepLegs });
    await settle();
    expect(line.last.request.mayHandOver).toBe(may);
  },
);

test('an operator who was hung up on before they were dialled is not dialled', async () => {
  const stored = Promise.withResolvers<boolean>();
  const { controller, line, settle } = setUp({ durable: () => stored.promise });
  controller.carryOut(DIAL);
  controller.carryOut({ type: 'leg.hangup', legId: 1, reason: 'caller-left' });
  stored.resolve(true);
  await settle();
  expect(line.dialled).toEqual([]);
});

test('[X6] without a line, or where it cannot be recorded, a transfer has failed', async () => {
  const none = setUp({ hasLine: false });
  none.controller.carryOut(DIAL);
  none.controller.carryOut({ type: 'leg.resume', legId: 2, record: true });
  expect(none.events).toEqual([
    { type: 'operator.failed', legId: 1, reason: 'line-error', code: 'no-line' },
    { type: 'operator.failed', legId: 2, reason: 'line-error', code: 'no-line' },
  ]);
  none.controller.carryOut({ type: 'leg.hangup', legId: 7, reason: 'caller-left' });
  const away = setUp({ durable: async () => false });
  away.controller.carryOut(DIAL);
  await away.settle();
  expect(away.events).toEqual([
    { type: 'operator.failed', legId: 1, reason: 'line-error', code: 'not-recorded' },
  ]);
  expect(away.line.dialled).toEqual([]);
});

test('[X5] once they are joined, sound and keys go both ways, and to nobody afterwards', async () => {
  const { clock, controller, line, caller, keys, bridged, tapped, talk, ticker } = setUp();
  expect(controller.isBridged).toBe(false);
  controller.pressed('9');
  controller.write(new Int16Array(320).fill(1000));
  await talk();
  expect(controller.isBridged).toBe(true);
  expect(bridged).toEqual([true]);
  for (let i = 0; i < 20; i++) {
    await clock.advance(20);
    controller.write(new Int16Array(320).fill(1000));
    line.last.speak(2000);
  }
  expect(loud(caller)).toBeGreaterThan(16 * 300);
  expect(loud(line.last.leg)).toBeGreaterThan(8 * 300);
  expect(tapped.length).toBeGreaterThan(15);
  expect(tapped[0]).toBeGreaterThanOrEqual(1000);
  controller.pressed('1');
  expect(line.last.keys).toEqual(['1']);
  line.last.sink?.dtmf('2');
  expect(keys).toEqual(['2']);

  controller.carryOut({ type: 'leg.hangup', legId: 1, reason: 'caller-left' });
  expect(controller.isBridged).toBe(false);
  expect(ticker.size).toBe(0);
  const before = [loud(caller), loud(line.last.leg)];
  controller.pressed('3');
  controller.write(new Int16Array(320).fill(1000));
  line.last.speak(2000);
  await clock.advance(100);
  expect([loud(caller), loud(line.last.leg)]).toEqual(before);
  expect(line.last.keys).toEqual(['1']);
  expect(line.last.leg.endedWith).toBe('caller-left');
});

test('[X5] where keys are sound on a line, they are heard as tones', async () => {
  const { clock, controller, line, caller, keys, talk } = setUp({ keysAreSound: true });
  await talk();
  line.last.sink?.dtmf('5');
  for (let i = 0; i < 20; i++) {
    await clock.advance(20);
    line.last.speak(0);
    controller.write(new Int16Array(320));
  }
  expect(keys).toEqual([]);
  expect(loud(caller)).toBeGreaterThan(500);
});

test('keys that the assistant sends go to the caller, or to the operator who was named', async () => {
  const { controller, line, keys, settle } = setUp();
  controller.carryOut({ type: 'leg.dtmf', digits: '1' });
  controller.carryOut(DIAL);
  await settle();
  line.last.answer();
  controller.carryOut({ type: 'leg.dtmf', legId: 1, digits: '12' });
  controller.carryOut({ type: 'leg.dtmf', legId: 9, digits: '3' });
  expect(keys).toEqual(['1']);
  expect(line.last.keys).toEqual(['12']);
});

test('a bridge to somebody who is not on the line joins nobody', async () => {
  const { controller, bridged, settle } = setUp();
  controller.carryOut({ type: 'leg.bridge', legId: 1, record: true });
  controller.carryOut(DIAL);
  await settle();
  controller.carryOut({ type: 'leg.bridge', legId: 1, record: true });
  expect(controller.isBridged).toBe(false);
  expect(bridged).toEqual([]);
});

test('[X6] a briefing that fails is an operator who has hung up', async () => {
  const { controller, line, briefings, events, settle } = setUp();
  controller.carryOut(DIAL);
  await settle();
  line.last.answer();
  controller.carryOut({ type: 'leg.brief', legId: 1, settings: callSettings() });
  expect(briefings).toHaveLength(1);
  briefings[0]?.();
  expect(events.at(-1)).toEqual({ type: 'operator.hungUp', legId: 1 });
  expect(line.last.leg.endedWith).toBe('operator-left');
});

test('[X7] a call that ends hangs up on its operators, and waits until each has gone', async () => {
  const { controller, line, settle } = setUp();
  await controller.close();
  controller.carryOut(DIAL);
  controller.carryOut({ ...DIAL, legId: 2 });
  await settle();
  for (const operator of line.dialled) operator.answer();
  let isOver = false;
  const closed = controller.close().then(() => {
    isOver = true;
  });
  await settle();
  expect(line.dialled.map(({ hungUp }) => hungUp)).toEqual([true, true]);
  expect(line.dialled.map(({ leg }) => leg.endedWith)).toEqual(['caller-left', 'caller-left']);
  await closed;
  expect(isOver).toBe(true);
});

test('[R6] an operator of an earlier process is asked for, and released by name if they are not ours', async () => {
  const { controller, line, bridged, settle } = setUp();
  controller.carryOut({ type: 'leg.resume', legId: 3, record: false });
  expect(bridged).toEqual([false]);
  expect(line.resumed.map(({ request }) => request)).toEqual([{ callId: 'c1', legId: 3 }]);
  expect(controller.isBridged).toBe(false);
  controller.carryOut({ type: 'leg.hangup', legId: 8, reason: 'caller-left' });
  expect(line.released).toEqual([{ callId: 'c1', legId: 8 }]);
  await controller.leave();
  await settle();
  expect(line.resumed[0]).toMatchObject({ hasLeft: true, hungUp: false });
});

test('[R6] the operator who talks with the caller stays on the line for the process that goes on', async () => {
  const { controller, line, talk } = setUp();
  await talk();
  await controller.leave();
  expect(line.last).toMatchObject({ hasLeft: true, hungUp: false });
  expect(line.last.leg.endedWith).toBeUndefined();
});
