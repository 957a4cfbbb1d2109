import { describe, expect, test } from 'vitest';
import { CallHarness, type World } from '../support/call-harness.ts';

const LONG = 'Our shop is open from nine in the morning until six in the evening on every day.';

/** The assistant reads a long welcome, one word every 300 ms from 100 ms on. */
const reading = (world: World = {}) =>
  new CallHarness({
    ...world,
    settings: {
      callType: 'phone',
      welcome: { message: LONG, mode: 'assistant-speaks-first', interruptible: true },
      ...world.settings,
    },
  }).answer();

const words3 = { stopSpeaking: { numberOfWords: 3, voiceMs: 200 } };

describe('barge-in by voice', () => {
  test('[B2] voice that lasts holds the reply', () => {
    const call = reading();
    call.voice(2000, 1500);
    call.runTo(2500);
    expect(call.of('play.hold')[0]?.at).toBe(2200);
    expect(call.call.view.assistant).toBe('held');
  });

  test('[B2] a sound shorter than voiceSeconds does not', () => {
    const call = reading();
    call.at(2080, { type: 'vad.start', onsetAt: 2000 });
    call.at(2150, { type: 'vad.stop', speechEndAt: 2100 });
    call.runTo(6000);
    expect(call.of('play.hold')).toEqual([]);
    expect(call.transcript).toEqual([`assistant: ${LONG}`]);
  });

  test('[B3] [B10] [H2] [H4] a content word interrupts; the record ends with the last word heard', () => {
    const call = reading({ model: () => 'Sure.' });
    call.says(2000, 'I only want to know your address.');
    call.runTo(12_000);
    expect(call.of('play.clear')).toHaveLength(1);
    expect(call.transcript).toEqual([
      'assistant: Our shop is open from nine in',
      'user: I only want to know your address.',
      'assistant: Sure.',
    ]);
    expect(call.context).toContainEqual({
      role: 'assistant',
      content: 'Our shop is open from nine in—',
    });
  });

  test('[H1] a word that a hold cut in two, and that is cut once more as it is said again, was heard', () => {
    const call = reading();
    call.voice(2000, 300);
    call.runTo(2900);
    const held = call.farEnd.heard.at(-1);
    expect(call.call.view.assistant).toBe('held');
    call.says(3200, 'I only want to know your address.');
    call.runTo(4300);
    expect(call.of('play.clear')[0]?.at).toBe(4300);
    // The far end had gone back to the beginning of a word that it had counted, and was stopped in it again.
    call.at(4310, { type: 'play.cleared', uttId: held?.uttId ?? 0, playedMs: 2150 });
    call.runTo(12_000);
    expect(call.transcript[0]).toBe('assistant: Our shop is open from nine in the');
  });

  const word = (text: string, type: 'stt.interim' | 'stt.final' = 'stt.interim') =>
    ({ type, segId: 'a', text, startAt: 2000, endAt: 2400, conf: 0.8 }) as const;

  test('[B3] the last word of an interim may be half heard: it holds, and the next one decides', () => {
    const call = reading();
    call.at(2500, word('Which on'));
    call.at(2800, word('Which one is'));
    call.runTo(3200);
    expect(call.of('play.clear')[0]?.at).toBe(2500);
    const half = reading();
    half.at(2500, word('Whi'));
    half.at(2800, word('Which one'));
    half.runTo(3200);
    expect(half.of('play.hold')[0]?.at).toBe(2500);
    expect(half.of('play.clear')[0]?.at).toBe(2800);
  });

  test('[B5] [B15] words that turn into a backchannel cost a moment, not the reply', () => {
    const call = reading();
    call.voice(2000, 500);
    call.at(2450, word('I'));
    call.at(2600, word('I se'));
    call.at(2800, word('I see.', 'stt.final'));
    call.runTo(20_000);
    expect(call.of('play.clear')).toEqual([]);
    expect(call.of('play.release')[0]?.at).toBe(2800);
    expect(call.transcript[0]).toBe(`assistant: ${LONG}`);
  });

  test('[B6] a hold that words alone made ends when nothing follows them', () => {
    const call = reading();
    call.at(2500, word('Whi'));
    call.runTo(20_000);
    expect(call.of('play.release').map(({ at }) => at)).toEqual([3000]);
    expect(call.transcript[0]).toBe(`assistant: ${LONG}`);
  });

  test('[B3] [B6] a hold that words made while a voice sounds lasts as long as the voice', () => {
    const call = reading();
    call.voice(2000, 4000);
    call.at(2150, word('Whi'));
    call.runTo(6000);
    expect(call.of('play.hold')[0]?.at).toBe(2150);
    expect(call.of('play.release')).toEqual([]);
    expect(call.call.view.assistant).toBe('held');
  });

  test('[B4] with a slow recogniser lasting voice alone interrupts', () => {
    const call = reading({ settings: { callType: 'phone', sttP99Ms: 1800 } });
    call.voice(2000, 2500);
    call.runTo(4000);
    expect(call.of('play.clear')[0]?.at).toBe(2900);
  });

  test('[B4] with a fast one it stays held', () => {
    const call = reading();
    call.voice(2000, 2500);
    call.runTo(4000);
    expect(call.of('play.clear')).toEqual([]);
    expect(call.call.view.assistant).toBe('held');
  });

  test('[B5] [B6] after a cough the reply goes on from the held word, and nobody knows', () => {
    const call = reading();
    call.voice(2000, 400);
    call.runTo(12_000);
    expect(call.of('play.release')).toHaveLength(1);
    expect(call.of('play.release')[0]?.at).toBe(3100);
    expect(call.transcript).toEqual([`assistant: ${LONG}`]);
    expect(call.of('llm.start')).toEqual([]);
  });

  test('[B5] [B15] a backchannel does not cost the reply', () => {
    const call = reading();
    call.says(2000, 'Mm-hm.', { ms: 400 });
    call.runTo(12_000);
    expect(call.transcript).toEqual([`assistant: ${LONG}`]);
    expect(call.of('llm.start')).toEqual([]);
  });

  test('[B7] words that come while the reply waits to go on interrupt it', () => {
    const call = reading();
    call.says(2000, 'Address please', { ms: 500, interims: false, finalMs: 400 });
    call.runTo(12_000);
    expect(call.of('play.release')).toEqual([]);
    expect(call.of('play.clear')[0]?.at).toBe(2900);
    expect(call.transcript).toContain('user: Address please');
  });

  test('[K4] nothing is held for ever: voice that still lasts takes the floor', () => {
    const call = reading();
    call.voice(2000, 9000);
    call.runTo(9000);
    expect(call.of('play.clear')[0]?.at).toBe(8200);
  });
});

describe('barge-in by words', () => {
  test('[B8] voice alone never holds, and fewer words than named do not interrupt', () => {
    const call = reading({ settings: { callType: 'phone', ...words3 } });
    call.says(1500, 'the address');
    call.runTo(12_000);
    expect(call.of('play.hold')).toEqual([]);
    expect(call.of('play.clear')).toEqual([]);
  });

  test('[B8] as many words as named do, interim ones too', () => {
    const call = reading({ settings: { callType: 'phone', ...words3 } });
    const end = call.says(1500, 'tell me the address instead now');
    call.runTo(12_000);
    expect(call.of('play.clear')[0]?.at).toBeLessThan(end);
  });

  test('[B1] a stop phrase always does', () => {
    const call = reading({ settings: { callType: 'phone', ...words3 } });
    call.says(1500, 'Wait.', { ms: 400 });
    call.runTo(12_000);
    expect(call.of('play.clear')).toHaveLength(1);
  });
});

describe('speech that can not be interrupted', () => {
  test('[B9] [W4] is said to its end', () => {
    const call = reading({
      settings: {
        callType: 'phone',
        welcome: { message: LONG, mode: 'assistant-speaks-first', interruptible: false },
      },
    });
    call.says(1000, 'Stop, stop, I want something else.');
    call.runTo(12_000);
    expect(call.of('play.hold')).toEqual([]);
    expect(call.of('play.clear')).toEqual([]);
    expect(call.transcript[0]).toBe(`assistant: ${LONG}`);
  });

  test('[B9] what was said towards its end becomes a turn when it is over', () => {
    const call = reading({
      settings: {
        callType: 'phone',
        welcome: { message: LONG, mode: 'assistant-speaks-first', interruptible: false },
      },
    });
    call.says(3000, 'I want to book a table.');
    call.runTo(12_000);
    expect(call.transcript).toEqual([
      `assistant: ${LONG}`,
      'user: I want to book a table.',
      'assistant: All right.',
    ]);
    expect(call.farEnd.heard).toHaveLength(2);
  });
});

describe('overlap at the edges of a reply', () => {
  test('[B13] words as the reply ends let it end, and are a turn of their own', () => {
    const call = reading({
      settings: {
        callType: 'phone',
        welcome: {
          message: 'Shall I book it for you?',
          mode: 'assistant-speaks-first',
          interruptible: true,
        },
      },
    });
    // The welcome sounds from 100 to 1900.
    call.says(1300, 'Yeah.', { ms: 400 });
    call.runTo(8000);
    expect(call.of('play.clear')).toEqual([]);
    expect(call.transcript).toEqual([
      'assistant: Shall I book it for you?',
      'user: Yeah.',
      'assistant: All right.',
    ]);
  });

  test('[B13] how near the end was counts from the onset of the voice, however late it was noticed', () => {
    const call = reading({
      settings: {
        callType: 'phone',
        welcome: {
          message: 'Shall I book it for you?',
          mode: 'assistant-speaks-first',
          interruptible: true,
        },
      },
    });
    // The welcome sounds from 100 to 1900: 670 ms are left at the onset, 550 when it is noticed.
    call.at(1350, { type: 'vad.start', onsetAt: 1230 });
    call.runTo(1600);
    expect(call.of('play.hold').map(({ at }) => at)).toEqual([1430]);
  });

  test("[B14] words from the reply's first moment mean that the caller was not done", () => {
    const call = new CallHarness({
      settings: { welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true } },
      model: (text) => `You said ${text} and I heard it.`,
    }).answer();
    const end = call.says(1000, 'I want to book a table.');
    call.runTo(end + 10);
    call.says(end + 660, 'for two people.');
    call.runTo(20_000);
    expect(call.transcript[0]).toBe('user: I want to book a table. for two people.');
    expect(call.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
    // The model knows what was heard in between, and that the caller spoke last.
    const [, ...said] = call.context;
    expect(said.map(({ role }) => role).at(-1)).toBe('user');
    for (const { content } of said.slice(1, -1)) expect(content).toMatch(/^You( said)?—$/);
  });

  test('[B11] the first second of a web call is not held by voice alone', () => {
    const call = reading({ settings: { callType: 'web' } });
    call.voice(300, 500);
    call.runTo(12_000);
    expect(call.of('play.hold')).toEqual([]);
  });

  test('[B12] a line that keeps making noise is listened to by its words alone', () => {
    const call = reading({ msPerWord: 1500 });
    for (const at of [2000, 5000, 8000, 11_000, 14_000]) call.voice(at, 400);
    call.runTo(30_000);
    expect(call.of('play.hold')).toHaveLength(3);
    expect(call.transcript).toEqual([`assistant: ${LONG}`]);
  });

  test.each([
    [59_900, 3],
    [60_100, 4],
  ])('[B12] for a minute: a voice %d ms later makes %d holds in all', (laterMs, holds) => {
    const call = reading({ msPerWord: 6000 });
    for (const at of [2000, 5000, 8000]) call.voice(at, 400);
    call.runTo(10_000);
    const noisyAt = call.of('log').find(({ note }) => note === 'noisy line')?.at ?? 0;
    call.voice(noisyAt + laterMs - 80, 1500);
    call.runTo(noisyAt + 62_000);
    expect(call.of('play.hold')).toHaveLength(holds);
  });

  test('[B12] there, one word that counts is enough to interrupt', () => {
    const call = reading({ msPerWord: 1500 });
    for (const at of [2000, 5000, 8000]) call.voice(at, 400);
    call.says(12_000, 'Address?');
    call.runTo(13_000);
    expect(call.of('play.clear')).toHaveLength(1);
  });

  test('[B12] noise that comes so seldom that only two holds fall into 20 s still holds', () => {
    const call = reading({ msPerWord: 2500 });
    for (const at of [2000, 9000, 22_000, 25_000]) call.voice(at, 400);
    call.runTo(40_000);
    expect(call.of('play.hold')).toHaveLength(4);
  });

  test("[C9] the assistant's own words are no words of the caller", () => {
    const call = reading();
    call.at(2300, {
      type: 'stt.interim',
      segId: 'e',
      text: 'open from nine',
      startAt: 1150,
      endAt: 2150,
      conf: 0.6,
    });
    call.runTo(12_000);
    expect(call.of('play.clear')).toEqual([]);
    expect(call.transcript).toEqual([`assistant: ${LONG}`]);
  });

  test('[C9] what comes after a hold was not said during it', () => {
    const call = reading();
    call.voice(2000, 400);
    call.runTo(6000);
    const releasedAt = call.of('play.release')[0]?.at ?? 0;
    expect(releasedAt).toBeGreaterThan(2600);

    const again = reading();
    again.voice(2000, 400);
    again.at(releasedAt + 100, {
      type: 'stt.interim',
      segId: 'c',
      text: 'the morning until',
      startAt: releasedAt,
      endAt: releasedAt + 90,
      conf: 0.9,
    });
    again.runTo(releasedAt + 200);
    expect(again.of('log')).toEqual([]);
  });

  test('[C9] a word that sounded before a hold is no word of the caller after it', () => {
    const call = reading();
    call.voice(2000, 400);
    call.runTo(6000);
    const heldAt = call.of('play.hold')[0]?.at ?? 0;
    const releasedAt = call.of('play.release')[0]?.at ?? 0;
    expect(releasedAt).toBeGreaterThan(heldAt + 600);

    const again = reading();
    again.voice(2000, 400);
    // A recogniser that is late, and knows the times.
    again.at(releasedAt + 600, {
      type: 'stt.interim',
      segId: 'e',
      text: 'from nine',
      startAt: 1450,
      endAt: 2050,
      conf: 0.6,
    });
    again.runTo(releasedAt + 700);
    expect(again.of('log').map(({ note }) => note)).toContain('echo');
    expect(again.of('play.clear')).toEqual([]);
  });

  test('[C9] so are those of a reply that was held and then cut off by voice alone', () => {
    const call = reading({ settings: { callType: 'phone', sttP99Ms: 1800 } });
    call.voice(2000, 2500);
    call.at(3000, {
      type: 'stt.interim',
      segId: 'e',
      text: 'from nine in',
      startAt: 1450,
      endAt: 2150,
      conf: 0.6,
    });
    call.runTo(3100);
    expect(call.of('play.clear')[0]?.at).toBe(2900);
    expect(call.of('log')).toMatchObject([{ note: 'echo', data: { text: 'from nine in' } }]);
  });

  test('[C9] so are those said since the last mark', () => {
    const call = reading().runTo(1250);
    call.freezePlayback();
    call.at(2000, {
      type: 'stt.interim',
      segId: 'e',
      text: 'open from nine',
      startAt: 1150,
      endAt: 1900,
      conf: 0.6,
    });
    call.runTo(2100);
    expect(call.of('log')).toMatchObject([{ note: 'echo', data: { text: 'open from nine' } }]);
    expect(call.of('play.clear')).toEqual([]);
  });
});
