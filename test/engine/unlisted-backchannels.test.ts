import { describe, expect, test } from 'vitest';
import { CallHarness, type World } from '../support/call-harness.ts';

const LONG =
  'The first plan includes calls within the country. It costs twelve euros. The second one adds data abroad.';

/** The caller has asked, and the answer sounds from 3000 ms on, one word every 300 ms. */
function answering(world: World = {}): CallHarness {
  const call = new CallHarness({
    model: (_text, index) => (index === 0 ? LONG : 'Sure.'),
    ...world,
    settings: {
      callType: 'phone',
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
      ...world.settings,
    },
  }).answer();
  call.says(200, 'How do the two plans differ?', { ms: 1200 });
  call.runTo(3000);
  expect(call.call.view.assistant).toBe('speaking');
  return call;
}

const heardWhole = (call: CallHarness) => call.transcript.includes(`assistant: ${LONG}`);

describe('short words that no list has', () => {
  test.each(['Splendid.', 'Oh, marvellous.', "That's neat.", 'Jolly well done.'])(
    '[B16] "%s" holds the answer for a moment and does not cost it',
    (text) => {
      const call = answering();
      call.says(4000, text, { ms: 700 });
      call.runTo(30_000);
      expect(call.of('play.hold')).toHaveLength(1);
      expect(call.of('play.clear')).toEqual([]);
      expect(heardWhole(call)).toBe(true);
      expect(call.of('llm.start').filter(({ turn }) => turn > 1)).toEqual([]);
    },
  );

  test.each([
    ['a question', 'How much?'],
    ['a question without its mark', 'how much'],
    ['a question after a filler', 'um how much'],
    ['a request', 'Say that again.'],
    ['a refusal', "I don't agree."],
    ['a number', 'Make it three.'],
    ['a word of this conversation', 'Which euros.'],
    ['another form of one', 'Oh, a country?'],
    ['more than three words', 'Splendid news for everybody here.'],
    ['a stop word in another form', 'Pausing there.'],
  ])('[B16] %s takes the floor', (_what, text) => {
    const call = answering();
    call.says(4000, text, { ms: 700 });
    call.runTo(30_000);
    expect(call.of('play.clear')).toHaveLength(1);
    expect(heardWhole(call)).toBe(false);
  });

  test('[B16] so do words that are drawn out', () => {
    const call = answering();
    call.says(4000, 'Splendid.', { ms: 1600 });
    call.runTo(30_000);
    expect(call.of('play.clear')).toHaveLength(1);
  });

  test('[B16] however that is known: by the times of the words, or by the voice', () => {
    const byWords = answering();
    byWords.says(4000, 'Splendid.', { ms: 1600, vad: false });
    const byVoice = answering();
    byVoice.at(4080, { type: 'vad.start', onsetAt: 4000 });
    const said = { segId: 's', text: 'Splendid.', conf: 0.9, startAt: 5000, endAt: 5400 };
    byVoice.at(5600, { type: 'stt.final', ...said });
    for (const call of [byWords, byVoice]) {
      call.runTo(5800);
      expect(call.of('play.clear')).toHaveLength(1);
    }
  });

  test('[B16] a hint is content', () => {
    const call = answering({ settings: { hints: ['Splendid'], callType: 'phone' } });
    call.says(4000, 'Splendid.', { ms: 600 });
    call.runTo(30_000);
    expect(call.of('play.clear')).toHaveLength(1);
  });

  test('[B16] what follows a question of the assistant answers it', () => {
    const call = answering({ model: () => `Which one would you like? ${LONG}` });
    const from = call.farEnd.heard[0]?.from ?? 0;
    // The question ends 1500 ms after that, and a voice holds the reply after 200 ms.
    const end = call.says(from + 1350, 'Splendid.', { ms: 600 });
    call.runTo(12_000);
    // As soon as they are final, not only when nobody has gone on.
    expect(call.of('play.clear').map(({ at }) => at)).toEqual([end + 150]);
  });

  test('[B16] the same words again are meant', () => {
    const call = answering();
    call.says(3600, 'Begone.', { ms: 500 });
    call.runTo(5500);
    expect(call.of('play.release')).toHaveLength(1);
    call.says(6000, 'Begone!', { ms: 500 });
    call.runTo(30_000);
    expect(call.of('play.clear')).toHaveLength(1);
  });

  test.each([
    [8000, 1],
    [8001, 0],
  ])(
    '[B16] the same words again are meant for 8 s: %d ms later they interrupt %d times',
    (ms, times) => {
      const call = answering({ model: () => `${LONG} ${LONG} ${LONG}` });
      call.says(3600, 'Begone.', { ms: 500 });
      call.runTo(5500);
      const passedOverAt = call.call.state.user.passedOver?.at ?? 0;
      call.says(passedOverAt + ms, 'Begone!', { ms: 500 });
      call.runTo(passedOverAt + ms + 2000);
      expect(call.of('play.clear')).toHaveLength(times);
    },
  );

  test('[B16] words that go on after all take the floor', () => {
    const call = answering();
    call.says(4000, 'Splendid.', { ms: 500 });
    call.says(5000, 'Book the bigger thing for us.', { ms: 1500 });
    call.runTo(30_000);
    expect(call.of('play.clear')).toHaveLength(1);
    expect(call.transcript.some((line) => line.includes('Book the bigger thing'))).toBe(true);
  });

  test('[B8] [B16] a number of words that the owner has set decides alone', () => {
    const call = answering({
      settings: { callType: 'phone', stopSpeaking: { numberOfWords: 1, voiceMs: 200 } },
    });
    call.says(4000, 'Splendid.', { ms: 600 });
    call.runTo(30_000);
    expect(call.of('play.clear')).toHaveLength(1);
  });

  test('[B16] nobody gives backchannels to a welcome', () => {
    const call = new CallHarness({
      settings: {
        callType: 'phone',
        welcome: { message: LONG, mode: 'assistant-speaks-first', interruptible: true },
      },
    }).answer();
    call.says(2000, 'Miller.', { ms: 500 });
    call.runTo(20_000);
    expect(call.of('play.clear')).toHaveLength(1);
  });
});
