import { describe, expect, test } from 'vitest';
import { CallHarness, type World } from '../support/call-harness.ts';

const LONG =
  'We open at nine, and we close at six, and on Saturdays we close at noon already, and we are closed on Sundays.';
const quiet = (world: World = {}) =>
  new CallHarness({
    model: () => `${LONG} ${LONG}`,
    ...world,
    settings: {
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
      ...world.settings,
    },
  }).answer();

/** A voice that goes on at this level, as the meter of a live call tells it. */
function levels(call: CallHarness, from: number, to: number, db: number): void {
  for (let at = from + 200; at <= to; at += 200)
    call.at(at, { type: 'vad.level', sinceAt: at - 200, db });
}

function sounds(call: CallHarness, from: number, to: number, db: number): void {
  call.at(from + 80, { type: 'vad.start', onsetAt: from, db: db - 6 });
  levels(call, from, to, db);
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

  test.each([
    // A word rises by 6 dB from its first sound: 17 and 18 dB under the caller's level.
    [-43, 110],
    [-44, 0],
  ])('[C10] a sound of %d dB puts it off by %d ms', (db, byMs) => {
    const undisturbed = due();
    const at = beginsAt(undisturbed) - 10;
    const call = due();
    call.at(at, { type: 'vad.maybe', db });
    expect(beginsAt(call)).toBe(at + 10 + byMs);
  });

  test('[C10] what may become a voice just before the turn is over puts the reply off as well', () => {
    const hurried = (maybeAt?: number) => {
      const call = quiet({ modelMs: 10, voiceMs: 10 });
      const late = { interims: false, finalMs: 600 };
      const end = call.says(1000, 'What are your opening hours?', late);
      if (maybeAt !== undefined) call.at(maybeAt, { type: 'vad.maybe', db: -22 });
      call.runTo(end + 6000);
      return { asked: call.of('llm.start')[0]?.at ?? 0, begins: call.of('play.start')[0]?.at ?? 0 };
    };
    const { asked, begins } = hurried();
    expect(begins).toBeLessThan(asked + 60);
    expect(hurried(asked - 10)).toEqual({ asked, begins: asked + 110 });
  });
});

describe('a voice in the background', () => {
  /** The caller asks at -22 dB; then only another voice is heard. Returns when they have asked. */
  const beside = () => {
    const call = quiet();
    const end = call.says(1000, 'What are your opening hours?', { vad: false });
    call.at(1080, { type: 'vad.start', onsetAt: 1000, db: -28 });
    levels(call, 1000, end, -22);
    return { call, end };
  };

  test('[L3] stays one though it slowly becomes louder than it was by much more than 6 dB', () => {
    const { call, end } = beside();
    levels(call, end, end + 3000, -36);
    for (let i = 0; i < 190; i++) {
      const at = end + 3000 + i * 200;
      levels(call, at, at + 200, -36 + i * 0.05);
    }
    call.runTo(end + 41_000);
    expect(call.call.view.user).toBe('silent');
    expect(call.of('stt.voice').map(({ voiced }) => voiced)).toEqual([false]);
  });

  test('[L3] does not hide a caller who is softer than before, and louder than it', () => {
    const { call, end } = beside();
    levels(call, end, end + 4000, -36);
    expect(call.runTo(end + 4000).call.view.user).toBe('silent');
    levels(call, end + 4000, end + 4400, -28);
    expect(call.runTo(end + 4400).call.view.user).toBe('speaking');
  });

  test.each([
    [29_999, 'silent'],
    [30_000, 'speaking'],
  ])('[L3] is remembered for 30 s: %d ms later the caller is %s', (laterMs, user) => {
    const { call, end } = beside();
    levels(call, end, end + 4000, -36);
    const last = end + 4000;
    call.at(last + 100, { type: 'vad.stop', speechEndAt: last });
    call.at(last + laterMs, { type: 'vad.start', onsetAt: last + laterMs - 80, db: -31 });
    expect(call.runTo(last + laterMs + 10).call.view.user).toBe(user);
  });

  test('[L3] one that ended before it was known is not held against the next voice', () => {
    const { call, end } = beside();
    levels(call, end, end + 1400, -30);
    call.at(end + 1500, { type: 'vad.stop', speechEndAt: end + 1400 });
    call.runTo(end + 1500);
    expect(call.of('stt.voice').map(({ voiced }) => voiced)).toEqual([false]);
    call.at(end + 1900, { type: 'vad.start', onsetAt: end + 1820, db: -36 });
    expect(call.runTo(end + 1950).call.view.user).toBe('speaking');
  });

  test('[L3] whoever was louder meanwhile may be as soft again for 0.7 s', () => {
    const { call, end } = beside();
    levels(call, end, end + 1000, -30);
    levels(call, end + 1000, end + 1400, -22);
    levels(call, end + 1400, end + 4000, -30);
    call.runTo(end + 4000);
    const turns = call.of('stt.voice');
    expect(turns.map(({ voiced }) => voiced)).toEqual([false, true, false]);
    expect(turns[2]?.at).toBeGreaterThan(end + 1800);
  });

  test('[L2] whose words are the caller’s by their level has ended when the caller ended', () => {
    const asked = (otherDb: number | undefined) => {
      const call = quiet();
      const end = call.says(1000, 'I would like to know', { vad: false, finalMs: 500 });
      call.at(1080, { type: 'vad.start', onsetAt: 1000, db: -28 });
      levels(call, 1000, end, -22);
      if (otherDb === undefined) call.at(end + 200, { type: 'vad.stop', speechEndAt: end });
      else levels(call, end, end + 6000, otherDb);
      call.runTo(end + 6000);
      return call.of('llm.start')[0]?.at;
    };
    expect(asked(-45)).toBe(asked(undefined));
  });

  test('[L3] is noticed by a recogniser with few interim words as soon as it is softer than the caller', () => {
    const call = quiet({ settings: { sttSparseInterims: true } });
    const end = call.says(1000, 'I would like to know', { vad: false });
    call.at(1080, { type: 'vad.start', onsetAt: 1000, db: -28 });
    levels(call, 1000, end + 1600, -22);
    levels(call, end + 1600, end + 8000, -32);
    call.runTo(end + 1600);
    expect(call.of('stt.voice')).toEqual([]);
    call.runTo(end + 8000);
    expect(call.of('stt.voice').map(({ voiced }) => voiced)).toEqual([false]);
  });
});

describe('the level of the caller', () => {
  test.each([
    [100, 'silent'],
    [101, 'speaking'],
  ])(
    '[L2] is heard from 100 ms before their words: %d ms before, and a far voice leaves them %s',
    (beforeMs, user) => {
      const call = quiet();
      call.at(1000, { type: 'vad.start', onsetAt: 900, db: -26 });
      call.at(1200, { type: 'vad.level', sinceAt: 1000, db: -20 });
      const said = { startAt: 1000 + beforeMs, endAt: 1900, conf: 0.9 };
      call.at(2000, {
        type: 'stt.final',
        segId: 'a',
        text: 'What are your opening hours?',
        ...said,
      });
      call.at(2100, { type: 'vad.stop', speechEndAt: 1900 });
      call.at(9000, { type: 'vad.start', onsetAt: 8900, db: -45 });
      expect(call.runTo(9050).call.view.user).toBe(user);
    },
  );

  test('[L4] their own words end the row of soft ones, of which the third counts', () => {
    const call = quiet();
    const say = (at: number, db: number, text: string) => {
      sounds(call, at, at + 800, db);
      const said = { startAt: at, endAt: at + 800, conf: 0.9 };
      call.at(at + 900, { type: 'stt.final', segId: `s${at}`, text, ...said });
    };
    const far = () => call.of('log').filter(({ note }) => note === 'said in the background').length;
    say(1000, -20, 'What are your opening hours?');
    call.runTo(3600);
    for (const at of [3600, 4800]) say(at, -40, 'Where is the remote?');
    call.runTo(6000);
    expect(far()).toBe(2);
    say(6000, -20, 'And on Sunday?');
    call.runTo(8800);
    for (const at of [8800, 10_000]) say(at, -40, 'Where is the remote?');
    call.runTo(11_200);
    expect(far()).toBe(4);
  });
});
