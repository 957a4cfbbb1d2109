import { expect, test } from 'vitest';
import type { CallEvent } from '../../src/engine/machine/events.ts';
import type { CallRunner } from '../../src/session/call-runner.ts';
import { eventsOfTakeOver, tellOfTakeOver } from '../../src/session/take-over-events.ts';
import { CallHarness } from '../support/call-harness.ts';

const STARTED = 1_800_000_000_000;
const LAST = { seq: 7, at: 2000 };

test.each([
  { what: 'the last line, if its process died at once', lostAt: 1990, gapMs: 59_700 },
  {
    what: 'the death of its process, if nothing was to be written before',
    lostAt: 61_000,
    gapMs: 700,
  },
  { what: 'no later than now, if clocks differ', lostAt: 62_000, gapMs: 0 },
  {
    what: 'the last line, if nobody knows when its process died',
    lostAt: undefined,
    gapMs: 59_700,
  },
])('the gap of a call that is taken over counts from $what', ({ lostAt, gapMs }) => {
  const sent: CallEvent[] = [];
  const atLast: CallEvent[] = [];
  const runner: Pick<CallRunner, 'at' | 'send' | 'sendAtLast'> = {
    at: (clockMs) => clockMs - STARTED,
    send: (event) => sent.push(event),
    sendAtLast: (event) => atLast.push(event),
  };
  const { call } = new CallHarness().answer();
  const lost = lostAt === undefined ? {} : { lostAtMs: STARTED + lostAt };
  const restored = { call, last: LAST, startedAtMs: STARTED, ...lost };
  tellOfTakeOver(runner as CallRunner, restored as never, STARTED + 61_700);
  expect(atLast).toEqual([{ type: 'process.lost' }]);
  expect(sent).toEqual([{ type: 'media.resumed' }, { type: 'call.resumed', gapMs }]);
});

test('a voice that was heard as the process died ended with it, and so did the microphone of a person', () => {
  const spoken = new CallHarness().answer().at(1000, { type: 'vad.start', onsetAt: 900 });
  spoken.runTo(1500);
  expect(eventsOfTakeOver(spoken.call, 1500, 0).atLast).toEqual([
    { type: 'process.lost' },
    { type: 'vad.stop', speechEndAt: 1500 },
  ]);
  const joined = new CallHarness().answer().at(1000, { type: 'control.takeOver', by: 'Bo' });
  joined.runTo(1500);
  expect(eventsOfTakeOver(joined.call, 1500, 0).atLast).toEqual([
    { type: 'process.lost' },
    { type: 'control.giveBack' },
  ]);
});
