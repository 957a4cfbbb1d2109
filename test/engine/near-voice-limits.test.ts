import { describe, expect, test } from 'vitest';
import { CallHarness } from '../support/call-harness.ts';

const LONG =
  'We open at nine, and we close at six, and on Saturdays we close at noon already, and we are closed on Sundays.';
const quiet = () =>
  new CallHarness({
    model: () => `${LONG} ${LONG}`,
    settings: { welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true } },
  }).answer();

function sounds(call: CallHarness, from: number, to: number, db: number): void {
  call.at(from + 80, { type: 'vad.start', onsetAt: from, db: db - 6 });
  for (let at = from + 200; at <= to; at += 200)
    call.at(at, { type: 'vad.level', sinceAt: at - 200, db });
  call.at(to + 200, { type: 'vad.stop', speechEndAt: to });
}

/** A call in which the caller was heard at -20 dB, and its reply sounds. Returns when their words ended. */
function answered() {
  const call = quiet();
  const end = call.says(1000, 'What are your opening hours?', { vad: false });
  sounds(call, 1000, end, -20);
  call.runTo(end + 1600);
  expect(call.call.view.assistant).toBe('speaking');
  return { call, end };
}

describe('over a reply', () => {
  test.each([
    [13, 1],
    [14, 0],
  ])('[L1] a voice %d dB under the caller’s level holds it %d times', (under, holds) => {
    const { call, end } = answered();
    sounds(call, end + 2000, end + 3000, -20 - under);
    call.runTo(end + 3100);
    expect(call.of('play.hold')).toHaveLength(holds);
  });

  test.each([
    [14.5, false],
    [15.5, true],
  ])('[L4] words %d dB under it are somebody else’s: %s', (under, far) => {
    const { call, end } = answered();
    const said = { startAt: end + 2000, endAt: end + 3000, conf: 0.9 };
    sounds(call, end + 2000, end + 3000, -20 - under);
    call.at(end + 3100, { type: 'stt.final', segId: 'far', text: 'Where is the remote?', ...said });
    call.runTo(end + 3300);
    const notes = call.of('log').map(({ note }) => note);
    expect(notes.includes('said in the background')).toBe(far);
  });

  test('[L4] words that go on being so soft count from the third on', () => {
    const { call, end } = answered();
    const at = (i: number) => end + 2000 + i * 1200;
    for (let i = 0; i < 3; i++) {
      sounds(call, at(i), at(i) + 800, -40);
      const said = { startAt: at(i), endAt: at(i) + 800, conf: 0.9 };
      call.at(at(i) + 900, { type: 'stt.final', segId: `f${i}`, text: 'Tell me more.', ...said });
    }
    call.runTo(at(1) + 1000);
    expect(call.of('log').filter(({ note }) => note === 'said in the background')).toHaveLength(2);
    call.runTo(at(3) + 3000);
    expect(call.transcript.some((line) => line.includes('Tell me more.'))).toBe(true);
  });
});

describe('before a reply begins', () => {
  const due = () => {
    const call = quiet();
    const end = call.says(1000, 'What are your opening hours?', { vad: false, finalMs: 50 });
    sounds(call, 1000, end, -20);
    while (call.of('llm.start').length === 0) call.runTo(call.now + 10);
    return call;
  };
  const beginsAt = (call: CallHarness) => {
    call.runTo(call.now + 5000);
    return call.farEnd.heard[0]?.from ?? 0;
  };

  test('[C10] what may become a voice puts it off by 120 ms, three times at most', () => {
    const undisturbed = due();
    const asked = undisturbed.now;
    const at = beginsAt(undisturbed) - 10;
    for (const [times, byMs] of [
      [1, 110],
      [2, 210],
      [3, 310],
      [5, 310],
    ] as const) {
      const call = due();
      expect(call.now).toBe(asked);
      for (let i = 0; i < times; i++) call.at(at + i * 100, { type: 'vad.maybe', db: -25 });
      expect(beginsAt(call) - (at + 10)).toBe(byMs);
    }
  });

  test('[C10] a sound too soft for the caller does not', () => {
    const undisturbed = due();
    const at = beginsAt(undisturbed) - 10;
    const call = due();
    // A word rises by 6 dB from its first sound: 18 dB under the caller's level.
    call.at(at, { type: 'vad.maybe', db: -44 });
    expect(beginsAt(call)).toBe(at + 10);
  });
});
