import { expect, test } from 'vitest';
import type { CallSettings } from '../../src/engine/settings/settings.ts';
import { CallHarness } from '../support/call-harness.ts';

const quiet = (settings: Partial<CallSettings> = {}) =>
  new CallHarness({
    settings: {
      backchanneling: true,
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
      ...settings,
    },
  }).answer();

const STORY = 'Well I was on my way home last night and then there was a';

/** The caller tells a story for so long, and pauses. Returns when the pause begins. */
function tell(call: CallHarness, at: number, ms: number): number {
  return call.says(at, STORY, { ms, finalMs: 50 });
}

const given = (call: CallHarness) => call.of('play.backchannel').map(({ at }) => at);

test.each([
  [4999, 0],
  [5000, 1],
])(
  'a caller who has spoken for %d ms, and goes on, gets %d backchannels in the pause',
  (ms, count) => {
    const call = quiet();
    const end = tell(call, 1000, ms);
    call.runTo(end + 1500);
    const times = given(call);
    expect(times).toHaveLength(count);
    for (const at of times) {
      expect(at - end).toBeGreaterThanOrEqual(250);
      expect(at - end).toBeLessThanOrEqual(700);
    }
  },
);

test('a caller who has probably finished gets an answer instead', () => {
  const call = quiet();
  const text = 'I was on my way home last night and now I would like to book a table please.';
  const end = call.says(1000, text, { ms: 6000, finalMs: 50 });
  call.runTo(end + 5000);
  expect(given(call)).toEqual([]);
  expect(call.of('llm.start').length).toBeGreaterThan(0);
});

test('one that goes on gets the next backchannel no sooner than six seconds later, and three in a turn', () => {
  const call = quiet();
  let at = 1000;
  for (let i = 0; i < 14; i++) at = tell(call, at, 2900) + 900;
  call.runTo(at + 1000);
  const times = given(call);
  expect(times).toHaveLength(3);
  for (const [i, when] of times.slice(1).entries())
    expect(when - (times[i] ?? 0)).toBeGreaterThanOrEqual(6000);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeLessThan(6000 + 3800);
});

test('phrases take turns, and where there are none nothing is said', () => {
  const { lines } = quiet().settings;
  const call = quiet({ lines: { ...lines, backchannels: ['one', 'two'] } });
  let at = 1000;
  for (let i = 0; i < 6; i++) at = tell(call, at, 5900) + 900;
  call.runTo(at + 1000);
  const said = call.of('play.backchannel').map(({ text }) => text);
  expect(said.length).toBeGreaterThanOrEqual(2);
  expect(said[1]).not.toBe(said[0]);
  expect(['one', 'two']).toContain(said[0]);
  const one = quiet({ lines: { ...lines, backchannels: ['one'] } });
  one.runTo(tell(one, 1000, 6000) + 1500);
  expect(one.of('play.backchannel').map(({ text }) => text)).toEqual(['one']);
  const none = quiet({ lines: { ...lines, backchannels: [] } });
  none.runTo(tell(none, 1000, 6000) + 1500);
  expect(given(none)).toEqual([]);
});

test.each<[string, (call: CallHarness) => void]>([
  ['is muted', (call) => void call.at(900, { type: 'control.mute', who: 'assistant', on: true })],
  [
    'has given the call to a person',
    (call) => void call.at(900, { type: 'control.takeOver', by: 'Bo' }),
  ],
])('an assistant that %s gives none', (_what, before) => {
  const call = quiet();
  before(call);
  call.runTo(tell(call, 1000, 6000) + 1500);
  expect(given(call)).toEqual([]);
});

test('a value that is being dictated is not talked into', () => {
  const call = quiet({
    welcome: {
      ...{ message: 'What is your phone number?', mode: 'assistant-speaks-first' },
      interruptible: true,
    },
  });
  const end = call.says(4000, 'four one five five five five', { ms: 6000, finalMs: 50 });
  call.runTo(end + 1500);
  expect(given(call)).toEqual([]);
});

test.each([
  [700, 1],
  [701, 0],
])('a pause that is noticed %d ms after its begin gets %d', (afterMs, count) => {
  const call = quiet();
  const end = call.says(1000, STORY, { ms: 5100, finalMs: 50, vad: false });
  call.at(1080, { type: 'vad.start', onsetAt: 1000 });
  for (let at = 1580; at < end + afterMs; at += 500) call.at(at, { type: 'vad.alive' });
  call.at(end + afterMs, { type: 'vad.stop', speechEndAt: end });
  call.runTo(end + 1500);
  expect(given(call)).toHaveLength(count);
});
