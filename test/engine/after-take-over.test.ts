import { expect, test } from 'vitest';
import { findDifferences, replayJournal } from '../../src/engine/machine/replay.ts';
import type { CallTool } from '../../src/engine/settings/settings.ts';
import { CallHarness, type World } from '../support/call-harness.ts';

const ANSWER = 'We are open from nine to six on every day but Sunday.';

const asked = (world: World = {}) => {
  const call = new CallHarness({
    model: () => ANSWER,
    ...world,
    settings: {
      callType: 'phone',
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
      ...world.settings,
    },
  }).answer();
  call.says(1000, 'When are you open?');
  return call;
};

const looking: CallTool = {
  definition: { name: 'look', description: 'Looks.', parameters: { type: 'object' } },
  async: false,
  readOnly: true,
  timeoutMs: 4000,
  lines: [],
};

test('[R3] [T4] a tool that is asked again after a take-over has failed when its time is over again', () => {
  const call = asked({
    settings: { tools: [looking] },
    tool: () => ({ afterMs: 60_000, result: 'late' }),
    model: (_text, n) => (n === 0 ? { calls: [{ id: 't1', name: 'look' }] } : 'I cannot tell.'),
  });
  while (call.of('tool.invoke').length === 0) call.runTo(call.now + 20);
  call.runTo(call.now + 2000);
  const again = call.now + 900;
  call.takeOver(900).runTo(again + 8000);
  expect(call.of('tool.invoke').map(({ at }) => at)).toContain(again);
  expect(call.of('tool.cancel').map(({ at }) => at)).toEqual([again + 4000]);
  expect(call.spoken.at(-1)).toBe('I cannot tell.');
});

test.each([
  [true, 300],
  [false, 300],
  [true, 1500],
])(
  '[R1] [T1] a tool waits for the rest of the line that comes before it (word times: %s, gap: %i ms)',
  (wordTimes, gapMs) => {
    const content = 'This may take a while, and it may cost you a fee of two euros.';
    const start = { type: 'request-start', content, role: 'assistant', endCall: false } as const;
    const call = asked({
      wordTimes,
      settings: { tools: [{ ...looking, readOnly: false, lines: [{ ...start, blocking: true }] }] },
      model: (_text, n) => (n === 0 ? { calls: [{ id: 't1', name: 'look' }] } : 'It is booked.'),
    });
    while (call.of('play.start').length === 0) call.runTo(call.now + 20);
    call.runTo(call.now + 1500);
    call.takeOver(gapMs).runTo(17_000);
    // The line in two parts, perhaps with an excuse between them, then the answer.
    const rest = call.farEnd.heard.at(-2);
    expect(call.of('tool.invoke').map(({ at }) => at)).toEqual([rest?.to]);
    const [excuse] = call.of('tts.start').filter(({ text }) => text.startsWith('Sorry'));
    expect(call.of('tts.start')).toHaveLength(excuse ? 4 : 3);
    expect(call.transcript.at(-1)?.replace(`${excuse?.text} `, '')).toBe(
      `assistant: ${content} It is booked.`,
    );
    expect(findDifferences(replayJournal(call.journal))).toEqual([]);
  },
);

test('[B4] [R1] a recogniser that was away is there again after a take-over: voice alone only holds', () => {
  const call = asked();
  call.at(1900, {
    type: 'stt.error',
    error: { code: 'http_500', message: 'broken', retryable: true },
  });
  while (call.of('play.start').length === 0) call.runTo(call.now + 20);
  call.runTo(call.now + 400);
  call.takeOver(300).runTo(call.now + 1000);
  call.voice(call.now, 2500).runTo(call.now + 10_000);
  expect(call.of('play.hold')).toHaveLength(1);
  expect(call.of('play.clear')).toEqual([]);
  expect(call.transcript.at(-1)).toBe(`assistant: ${ANSWER}`);
});

test('[R1] a piece of one word of which most was heard is not said again', () => {
  const call = asked({ model: () => ({ pieces: ['Certainly.', ANSWER] }), msPerWord: 600 });
  while (call.of('play.start').length < 2) call.runTo(call.now + 20);
  const from = call.farEnd.heard[0]?.from ?? 0;
  call.runTo(from + 450);
  call.takeOver(300).runTo(from + 12_000);
  expect(call.of('tts.start').map(({ text }) => text)).toEqual(['Certainly.', ANSWER, ANSWER]);
  expect(call.transcript.at(-1)).toBe(`assistant: Certainly. ${ANSWER}`);
});
