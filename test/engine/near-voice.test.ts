import { describe, expect, test } from 'vitest';
import { CallHarness, type World } from '../support/call-harness.ts';

const LONG = 'We open at nine, and we close at six, and on Saturdays we close at noon already.';
const quiet = (world: World = {}) =>
  new CallHarness({
    model: () => LONG,
    ...world,
    settings: {
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
      ...world.settings,
    },
  }).answer();

/** A voice that is this loud between two instants, as the meter of a live call tells it. */
function loud(call: CallHarness, from: number, to: number, db: number): void {
  for (let at = from + 200; at <= to; at += 200)
    call.at(at, { type: 'vad.level', sinceAt: at - 200, db });
}

/** Voice activity that is true from one instant to the other, whoever speaks. */
function voiced(call: CallHarness, from: number, to: number, db: number): void {
  call.at(from + 80, { type: 'vad.start', onsetAt: from, db });
  for (let at = from + 580; at < to; at += 500) call.at(at, { type: 'vad.alive' });
  call.at(to + 200, { type: 'vad.stop', speechEndAt: to });
}

/** A caller who says something at this level. Returns when it ends. */
function says(call: CallHarness, at: number, text: string, db: number): number {
  const end = call.says(at, text, { vad: false });
  voiced(call, at, end, db);
  loud(call, at, end, db);
  return end;
}

/** The same beside a voice that never ends. */
function saysBeside(call: CallHarness, at: number, text: string, db: number, otherDb: number) {
  const end = call.says(at, text, { vad: false });
  voiced(call, at, at + 60_000, db);
  loud(call, at, end, db);
  loud(call, end, at + 60_000, otherDb);
  return end;
}

const repliedAt = (call: CallHarness) => call.of('llm.start')[0]?.at ?? Number.POSITIVE_INFINITY;

describe('near and far voices', () => {
  test('[L1] [L2] a voice far under the level of what the caller said ends the turn although it goes on', () => {
    const call = quiet();
    const end = saysBeside(call, 1000, 'What are your opening hours?', -22, -45);
    call.runTo(12_000);
    expect(repliedAt(call)).toBeLessThan(end + 600);
    expect(call.transcript).toEqual(['user: What are your opening hours?', `assistant: ${LONG}`]);
    expect(call.of('play.hold')).toEqual([]);
    // The recogniser is told as well, so that it gives what it has.
    expect(call.of('stt.voice')[0]).toMatchObject({ voiced: false });
  });

  test('[L2] what was heard since the words ended is judged as soon as their level is known', () => {
    const call = quiet();
    const end = call.says(1000, 'What are your opening hours?', { vad: false, finalMs: 500 });
    voiced(call, 1000, end + 5000, -22);
    loud(call, 1000, end, -22);
    loud(call, end, end + 5000, -45);
    call.runTo(end + 5000);
    expect(call.of('stt.voice')[0]).toMatchObject({ voiced: false, at: end + 500 });
  });

  test('[L1] it starts no turn and holds no reply, as the caller does at their own level', () => {
    const call = quiet({ model: () => `${LONG} ${LONG}` });
    const end = says(call, 1000, 'What are your opening hours?', -22);
    voiced(call, end + 1500, end + 4000, -45);
    loud(call, end + 1500, end + 4000, -45);
    call.runTo(end + 4500);
    expect(call.of('play.hold')).toEqual([]);
    voiced(call, end + 5000, end + 6000, -24);
    loud(call, end + 5000, end + 6000, -24);
    call.runTo(end + 6500);
    expect(call.of('play.hold')).toHaveLength(1);
  });

  test('[L1] without levels every voice is the caller’s', () => {
    const call = quiet();
    const end = call.says(1000, 'What are your opening hours?');
    call.voice(end + 1500, 1000).runTo(end + 3000);
    expect(call.of('play.hold')).toHaveLength(1);
  });

  test('[L1] [L4] over a reply, a voice is the caller’s from their first word on, though it is soft', () => {
    const call = quiet({ model: () => `${LONG} ${LONG}` });
    const from = says(call, 1000, 'What are your opening hours?', -22) + 1500;
    voiced(call, from, from + 2400, -26);
    loud(call, from, from + 600, -26);
    // 14 dB under their level: too soft for a voice alone, not for words.
    loud(call, from + 600, from + 2400, -36);
    const said = { type: 'stt.interim', segId: 'over', startAt: from, conf: 0.8 } as const;
    call.at(from + 500, { ...said, text: 'Could', endAt: from + 400 });
    call.runTo(from + 1100);
    expect(call.call.view).toMatchObject({ user: 'speaking', assistant: 'held' });
  });

  test('[L2] a soft caller is heard from the first word', () => {
    const call = quiet();
    says(call, 1000, 'What are your opening hours?', -52);
    call.runTo(20_000);
    expect(call.transcript[0]).toBe('user: What are your opening hours?');
  });

  test('[L2] [L4] a caller who is much softer after a loud greeting is answered, and soon known', () => {
    const call = quiet();
    let at = says(call, 1000, 'Good evening to all of you there!', -12);
    for (const text of ['What are your opening hours?', 'And are you open on Sunday?']) {
      call.runTo(at + 9000);
      at = says(call, at + 9000, text, -34);
    }
    call.runTo(at + 9000);
    expect(call.transcript.filter((line) => line.startsWith('user'))).toHaveLength(3);
    says(call, at + 9000, 'And on Monday?', -34);
    call.runTo(at + 13_000);
    voiced(call, at + 13_000, at + 14_000, -36);
    loud(call, at + 13_000, at + 14_000, -36);
    call.runTo(at + 15_000);
    expect(call.of('play.hold').at(-1)?.at).toBeGreaterThan(at + 13_000);
  });

  test('[L3] a voice not far under the caller’s, without a new word for 0.7 s, is a pause', () => {
    const call = quiet();
    const end = saysBeside(call, 1000, 'What are your opening hours?', -22, -30);
    call.runTo(12_000);
    expect(repliedAt(call)).toBeGreaterThan(end + 700);
    expect(repliedAt(call)).toBeLessThan(end + 1300);
    expect(call.of('play.hold')).toEqual([]);
    expect(call.transcript).toEqual(['user: What are your opening hours?', `assistant: ${LONG}`]);
  });

  test('[L3] as loud as the caller it may be theirs, and the recogniser gets 1.5 s', () => {
    const call = quiet();
    const end = call.says(1000, 'I would like to know', { vad: false });
    voiced(call, 1000, end + 3200, -22);
    loud(call, 1000, end + 3200, -22);
    call.says(end + 900, 'what your opening hours are.', { vad: false });
    call.runTo(end + 8000);
    expect(call.transcript[0]).toBe('user: I would like to know what your opening hours are.');
    expect(call.of('llm.start').filter(({ speculative }) => !speculative)).toHaveLength(1);
  });

  test('[L3] while a value is dictated it gets 3 s: a group of digits is one word', () => {
    const welcome = {
      message: 'What is your card number?',
      mode: 'assistant-speaks-first',
    } as const;
    const call = quiet({ settings: { welcome: { ...welcome, interruptible: true } } });
    const end = saysBeside(call, 4000, 'It is 4407 1629', -22, -24);
    call.runTo(end + 3000);
    expect(call.of('llm.start')).toEqual([]);
    call.runTo(12_000);
    expect(repliedAt(call)).toBeGreaterThan(end + 3000);
  });

  test('[L1] [L3] a voice in the background that begins again is known by its first sound', () => {
    const userAfter = (db: number) => {
      const call = quiet();
      const end = call.says(1000, 'What are your opening hours?', { vad: false });
      voiced(call, 1000, end + 5000, -22);
      loud(call, 1000, end, -22);
      loud(call, end, end + 5000, -30);
      voiced(call, end + 12_000, end + 14_000, db);
      return call.runTo(end + 12_500).call.view.user;
    };
    expect(userAfter(-30)).toBe('silent');
    expect(userAfter(-22)).toBe('speaking');
  });

  test('[L3] no longer than that, though the voice goes on', () => {
    const call = quiet();
    const end = saysBeside(call, 1000, 'What are your opening hours?', -22, -22);
    call.runTo(12_000);
    expect(repliedAt(call)).toBeGreaterThan(end + 1400);
    expect(repliedAt(call)).toBeLessThan(end + 2500);
  });

  test('[L3] a recogniser without interim words says nothing by being silent', () => {
    const call = quiet();
    const end = call.says(1000, 'I would like to know', { vad: false, interims: false });
    voiced(call, 1000, end + 5000, -22);
    loud(call, 1000, end + 5000, -22);
    call.runTo(end + 5000);
    expect(call.of('llm.start')).toEqual([]);
  });

  test('[L3] nor does one with few interim words, while the voice is as loud as the caller', () => {
    const waits = (db: number) => {
      const call = quiet({ settings: { sttSparseInterims: true } });
      const end = saysBeside(call, 1000, 'I would like to know', -22, db);
      call.runTo(end + 5000);
      return call.of('llm.start').length === 0;
    };
    expect(waits(-24)).toBe(true);
    expect(waits(-30)).toBe(false);
  });

  test('[L4] words of somebody far off do not interrupt, those of the caller do', () => {
    const call = quiet({ model: () => `${LONG} ${LONG}` });
    const end = says(call, 1000, 'What are your opening hours?', -22);
    says(call, end + 1500, 'Could you feed the dog please?', -45);
    call.runTo(end + 5000);
    expect(call.of('play.clear')).toEqual([]);
    expect(call.of('log').map(({ note }) => note)).toContain('said in the background');
    says(call, end + 5100, 'Could you repeat that?', -24);
    call.runTo(end + 7500);
    expect(call.of('play.clear')).toHaveLength(1);
  });

  test('[L4] words that go on being soft count from the third time', () => {
    const call = quiet({ model: () => `${LONG} ${LONG} ${LONG} ${LONG}` });
    let at = says(call, 1000, 'What are your opening hours?', -22) + 1500;
    for (let i = 0; i < 3; i++) at = says(call, at, 'Could you repeat that?', -45) + 1500;
    call.runTo(at);
    expect(call.of('play.clear')).toHaveLength(1);
    expect(call.of('play.clear')[0]?.at).toBeGreaterThan(at - 2800);
  });

  test('[C10] what may become a voice puts off a reply that has not begun, and words then reopen the turn', () => {
    const hurried = (maybe: boolean) => {
      const call = quiet({ modelMs: 10, voiceMs: 10 });
      const end = call.says(1000, 'What are your opening hours?');
      const due = end + 400;
      if (maybe) call.at(due - 40, { type: 'vad.maybe', db: -22 });
      call.at(due + 40, { type: 'vad.start', onsetAt: due - 60 });
      return call.runTo(due + 200);
    };
    expect(hurried(false).of('play.start')).toHaveLength(1);
    expect(hurried(true).of('play.start')).toEqual([]);
  });

  test('[C10] noise that never becomes a voice puts it off three times at most', () => {
    const call = quiet({ modelMs: 10, voiceMs: 10 });
    const end = call.says(1000, 'What are your opening hours?');
    for (let at = end + 350; at < end + 3000; at += 100)
      call.at(at, { type: 'vad.maybe', db: -22 });
    call.runTo(end + 3000);
    expect(call.of('play.start')[0]?.at).toBeLessThan(end + 750);
  });
});
