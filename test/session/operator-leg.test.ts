import { expect, test } from 'vitest';
import type { CallCommand } from '../../src/engine/machine/commands.ts';
import type { CallEvent } from '../../src/engine/machine/events.ts';
import type { OperatorBriefing } from '../../src/session/operator/operator-briefing.ts';
import { OperatorLeg } from '../../src/session/operator/operator-leg.ts';
import { callSettings } from '../support/call-settings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MemoryLeg } from '../support/memory-leg.ts';

const SOUND = new Int16Array(160).fill(7);
const FINISH = { type: 'finish', status: 'finished', endReason: 'ended' } as const;

function setUp() {
  const clock = new ManualClock(0);
  const settings = callSettings();
  const events: { readonly at: number; readonly event: CallEvent }[] = [];
  const did: string[] = [];
  const briefings: { readonly says: string; tell: (command: CallCommand) => void }[] = [];
  let over = 0;
  const operator = new OperatorLeg({
    legId: 3,
    clock,
    settings,
    emit: (event) => void events.push({ at: clock.now(), event }),
    createBriefing(_leg, { welcome }, onCommand) {
      const name = `briefing ${briefings.length}`;
      briefings.push({ says: welcome.message, tell: onCommand });
      return {
        audio: () => did.push(`${name} hears`),
        mark: (mark: string) => did.push(`${name} ${mark}`),
        cleared: (ms: number) => did.push(`${name} cleared ${ms}`),
        lost: () => did.push(`${name} lost`),
        resumed: () => did.push(`${name} resumed`),
        close: () => did.push(`${name} closed`),
      } as unknown as OperatorBriefing;
    },
    onOver: () => over++,
  });
  const leg = new MemoryLeg({ clock });
  operator.dial(() => ({
    hangUp: () => void did.push('line hung up'),
    leave: () => void did.push('line left'),
  }));
  const bridge = () =>
    operator.bridge({
      write: () => void did.push('caller hears'),
      press: (digit) => void did.push(`caller gets ${digit}`),
    });
  const named = () => events.map(({ event }) => event.type);
  return { clock, operator, leg, events, named, did, briefings, bridge, isOver: () => over };
}

test('what becomes of the line is told with its number', () => {
  const { operator, leg, events, isOver } = setUp();
  operator.ringing();
  expect(operator.answered(leg)).toBe(operator);
  expect(operator.leg).toBe(leg);
  operator.hangup();
  expect(events.map(({ event }) => event)).toEqual([
    { type: 'operator.ringing', legId: 3 },
    { type: 'operator.answered', legId: 3 },
    { type: 'operator.hungUp', legId: 3 },
  ]);
  expect(leg.endedWith).toBe('operator-left');
  expect(isOver()).toBe(1);
});

test('a line that fails is over, and fails only once', () => {
  const { operator, events, isOver } = setUp();
  operator.failed('busy', '486');
  operator.failed('no-answer', '480');
  operator.ringing();
  operator.hangup();
  expect(events.map(({ event }) => event)).toEqual([
    { type: 'operator.failed', legId: 3, reason: 'busy', code: '486' },
  ]);
  expect(isOver()).toBe(1);
});

test('[X2] a call that the carrier has handed over is accepted, and no longer ours', () => {
  const { operator, named, did, isOver } = setUp();
  operator.ringing();
  operator.handedOver();
  expect(isOver()).toBe(1);
  operator.hangUp('caller-left');
  expect(named()).toEqual(['operator.ringing', 'operator.accepted']);
  expect(did).toEqual([]);
  expect(isOver()).toBe(1);
});

test('[X4] [X5] the briefing hears the operator until the bridge, and then only the caller does', () => {
  const { operator, leg, did, bridge } = setUp();
  operator.audio(SOUND);
  operator.brief(callSettings());
  operator.answered(leg);
  operator.brief(callSettings());
  operator.audio(SOUND);
  operator.dtmf('1');
  operator.mark('m1');
  operator.cleared(40);
  bridge();
  operator.audio(SOUND);
  operator.dtmf('2');
  operator.mark('m2');
  operator.lost();
  operator.resumed();
  expect(did).toEqual([
    'briefing 0 hears',
    'briefing 0 m1',
    'briefing 0 cleared 40',
    'briefing 0 closed',
    'caller hears',
    'caller gets 2',
  ]);
});

test('[X7] an operator who is hung up on hears the last sentence, and the caller hears nothing more', async () => {
  const { clock, operator, leg, did, briefings, bridge, isOver, named } = setUp();
  operator.answered(leg);
  bridge();
  operator.hangUp('caller-left', 'The caller has left.');
  operator.hangUp('caller-left', 'The caller has left.');
  operator.audio(SOUND);
  operator.dtmf('1');
  expect(briefings.map(({ says }) => says)).toEqual(['The caller has left.']);
  expect(did).toEqual(['line hung up', 'briefing 0 hears']);
  expect(leg.endedWith).toBeUndefined();
  briefings[0]?.tell({ type: 'hangup', reason: 'ended' });
  expect(isOver()).toBe(0);
  briefings[0]?.tell(FINISH);
  expect(leg.endedWith).toBe('caller-left');
  expect(isOver()).toBe(1);
  expect(did.at(-1)).toBe('briefing 0 closed');
  expect(clock.nextDueAt()).toBeUndefined();
  await clock.advance(60_000);
  expect(isOver()).toBe(1);
  expect(named()).toEqual(['operator.answered']);
});

test('a last sentence that does not end is cut off after eight seconds', async () => {
  const { clock, operator, leg, isOver } = setUp();
  operator.answered(leg);
  operator.hangUp('caller-left', 'The caller has left.');
  await clock.advance(7999);
  expect(leg.endedWith).toBeUndefined();
  await clock.advance(1);
  expect(leg.endedWith).toBe('caller-left');
  expect(isOver()).toBe(1);
  expect(clock.nextDueAt()).toBeUndefined();
});

test.each([
  ['has not answered', false, 'The caller has left.'],
  ['has nothing to hear', true, undefined],
])('an operator who %s is hung up on at once', (_what, answered, say) => {
  const { operator, leg, briefings, did, isOver } = setUp();
  if (answered) operator.answered(leg);
  operator.hangUp('no-answer', say);
  expect(isOver()).toBe(1);
  expect(briefings).toEqual([]);
  expect(did).toEqual(['line hung up']);
  expect(leg.endedWith).toBe(answered ? 'no-answer' : undefined);
});

test('a line that is lost has five seconds to come back', async () => {
  const { clock, operator, leg, did, named } = setUp();
  operator.answered(leg);
  operator.brief(callSettings());
  operator.lost();
  await clock.advance(3000);
  operator.lost();
  await clock.advance(1999);
  expect(named()).toEqual(['operator.answered']);
  operator.resumed();
  await clock.advance(20_000);
  expect(named()).toEqual(['operator.answered']);
  expect(did).toEqual(['briefing 0 lost', 'briefing 0 lost', 'briefing 0 resumed']);
  operator.lost();
  await clock.advance(5000);
  expect(named()).toEqual(['operator.answered', 'operator.hungUp']);
  expect(leg.endedWith).toBe('operator-left');
});

test('an operator whose line is lost hears no last sentence', async () => {
  const { clock, operator, leg, briefings, isOver } = setUp();
  operator.answered(leg);
  operator.lost();
  operator.hangUp('caller-left', 'The caller has left.');
  expect(briefings).toEqual([]);
  expect(isOver()).toBe(1);
  expect(clock.nextDueAt()).toBeUndefined();
  operator.lost();
  await clock.advance(60_000);
  expect(isOver()).toBe(1);
});

test('a line that is lost during the last sentence is over', () => {
  const { operator, leg, isOver, named } = setUp();
  operator.answered(leg);
  operator.hangUp('caller-left', 'The caller has left.');
  operator.lost();
  expect(isOver()).toBe(1);
  expect(leg.endedWith).toBe('operator-left');
  expect(named()).toEqual(['operator.answered']);
});

test('[R6] an operator who is left to another process is neither hung up on nor told anything', async () => {
  const { clock, operator, leg, did, bridge, isOver, named } = setUp();
  operator.answered(leg);
  bridge();
  operator.leave();
  operator.leave();
  operator.audio(SOUND);
  await clock.advance(60_000);
  expect(did).toEqual(['line left']);
  expect(leg.endedWith).toBeUndefined();
  expect(isOver()).toBe(1);
  expect(named()).toEqual(['operator.answered']);
});

test('an operator who is hung up on while they are briefed is briefed no more', () => {
  const { operator, leg, did } = setUp();
  operator.answered(leg);
  operator.brief(callSettings());
  operator.hangUp('caller-left');
  operator.mark('m1');
  operator.cleared(40);
  operator.audio(SOUND);
  expect(did).toEqual(['briefing 0 closed', 'line hung up']);
});

test('an operator who hangs up while they are briefed is briefed no more', () => {
  const { operator, leg, did } = setUp();
  operator.answered(leg);
  operator.brief(callSettings());
  operator.hangup();
  operator.mark('m1');
  operator.audio(SOUND);
  expect(did).toEqual(['briefing 0 closed']);
});
