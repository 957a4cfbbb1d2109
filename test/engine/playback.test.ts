import { describe, expect, test } from 'vitest';
import { CallHarness, type World } from '../support/call-harness.ts';

const quiet = (world: World = {}) =>
  new CallHarness({
    ...world,
    settings: {
      callType: 'phone',
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
      ...world.settings,
    },
  }).answer();

const LONG = 'We are open from nine to six on every day but Sunday.';
const BROKEN = { code: 'http_500', message: 'broken', retryable: true };

/** Lets the call live until so many pieces have been sent to be played; returns when the first of them began. */
const playing = (call: CallHarness, pieces = 1) => {
  while (call.of('play.start').length < pieces) call.runTo(call.now + 10);
  return call.farEnd.heard[0]?.from ?? 0;
};

describe('playback that stands still', () => {
  test('[K1] between two pieces, because the second was lost, is given up 2 s after the first', () => {
    const call = quiet({ model: () => ({ pieces: ['It is open.', 'Until six.'] }) });
    call.says(1000, 'Is it open?');
    playing(call, 2);
    call.farEnd.clear(call.now);
    const over = call.now + 900;
    call.at(over, { type: 'play.finished', uttId: 1 }).runTo(over + 3000);
    expect(call.of('play.clear').map(({ at }) => at)).toEqual([over + 2000]);
    expect(call.transcript.at(-1)).toBe('assistant: It is open.');
  });

  test('[K1] before a piece that comes after a pause is given up 2 s after it was sent', () => {
    const call = quiet({ model: () => ({ silent: true }) });
    call.says(1000, 'Is it open?');
    while (call.of('llm.start').length === 0) call.runTo(call.now + 10);
    call.at(call.now + 50, { type: 'llm.text', genId: 1, text: 'One moment.' });
    playing(call);
    call.runTo(call.now + 3000);
    call.freezePlayback();
    call.farEnd.hold(call.now);
    call.at(call.now, { type: 'llm.text', genId: 1, text: 'It is open.' });
    playing(call, 2);
    const sent = call.now;
    call.runTo(sent + 3000);
    expect(call.of('play.clear').map(({ at }) => at)).toEqual([sent + 2000]);
    expect(call.transcript.at(-1)).toBe('assistant: One moment.');
  });
});

describe('a reply that was all played', () => {
  const end = [
    ['is done', { type: 'llm.done', genId: 1, reason: 'stop' }],
    ['fails', { type: 'llm.error', genId: 1, error: BROKEN }],
  ] as const;

  test.each(end)('[A2] is over as soon as the model %s', (_how, event) => {
    const call = quiet({ model: () => ({ silent: true }) });
    call.says(1000, 'Is it open?');
    while (call.of('llm.start').length === 0) call.runTo(call.now + 10);
    call.at(call.now + 50, { type: 'llm.text', genId: 1, text: 'It is open.' });
    call.runTo(call.now + 3000);
    expect(call.call.view.assistant).toBe('speaking');
    call.at(call.now, event).runTo(call.now);
    expect(call.call.view.assistant).toBe('idle');
    expect(call.spoken).toEqual(['It is open.']);
  });
});

describe('a reply that is cut off', () => {
  test('[B10] takes nothing more of what model and voice still give', () => {
    const call = quiet({ voiceMs: 800, model: () => ({ silent: true }) });
    call.says(1000, 'Is it open?');
    while (call.of('llm.start').length === 0) call.runTo(call.now + 10);
    call.at(call.now + 50, { type: 'llm.text', genId: 1, text: LONG });
    playing(call);
    call.at(call.now + 1000, { type: 'llm.text', genId: 1, text: 'And on holidays.' });
    call.says(call.now + 1010, 'Stop.', { ms: 300 });
    while (call.of('play.clear').length === 0) call.runTo(call.now + 10);
    const [, second] = call.of('tts.start');
    call.at(call.now, { type: 'tts.audio', uttId: second?.uttId ?? 0 });
    call.at(call.now, { type: 'llm.text', genId: 1, text: 'And at night.' });
    call.runTo(call.now + 15);
    expect(call.of('play.start')).toHaveLength(1);
    expect(call.of('tts.start')).toHaveLength(2);
  });

  test('[E2] [H1] does not end the call by a phrase that the far end reports as played too late', () => {
    const endCall = { enabled: true, message: 'Bye.', phrases: ['goodbye'], toolDescription: '' };
    const call = quiet({
      settings: { endCall },
      model: (_text, n) => (n === 0 ? 'Then I have noted it down and say goodbye.' : 'Sure.'),
    });
    call.says(1000, 'That is all.');
    const from = playing(call);
    call.says(from + 1500, 'Wait, the address.', { ms: 900 });
    while (call.of('play.clear').length === 0) call.runTo(call.now + 10);
    call.at(call.now, { type: 'play.finished', uttId: 1 }).runTo(from + 9000);
    expect(call.of('finish')).toEqual([]);
    expect(call.transcript[1]).toMatch(/^assistant: Then I have/);
    expect(call.transcript[1]).not.toContain('goodbye');
    expect(call.spoken.at(-1)).toBe('Sure.');
  });
});

describe('a voice that fails', () => {
  test('[E6] [H6] in the middle of a piece is heard as far as it sounded', () => {
    const call = quiet({ voiceStalls: (text) => text === LONG, model: () => LONG });
    call.says(1000, 'When are you open?');
    const from = playing(call);
    call.at(from + 500, { type: 'tts.failed', uttId: 1, error: BROKEN });
    call.at(from + 510, { type: 'play.mark', uttId: 1, playedMs: 500 });
    call.at(from + 520, { type: 'play.finished', uttId: 1 }).runTo(from + 3000);
    expect(call.transcript.at(-1)).toMatch(/^assistant: We( are)?$/);
    expect(call.call.view.assistant).toBe('idle');
  });

  test('[E6] at every piece under way does not keep the next one from being spoken', () => {
    const pieces = ['One.', 'Two.', 'Three.', 'Four.'];
    const call = quiet({
      voiceMs: 500,
      voiceFails: (text) => text !== 'Four.',
      model: () => ({ pieces }),
    });
    call.says(1000, 'Count, would you?');
    call.runTo(6000);
    expect(call.spoken).toEqual(['Four.']);
    expect(call.transcript.at(-1)).toBe('assistant: Four.');
  });

  test('[E6] at one piece counts for its turn, though another piece was heard', () => {
    const call = quiet({
      settings: { maxConsecutiveTtsFailures: 2 },
      voiceFails: (text) => text === 'Nobody can say it.',
      model: () => ({ pieces: ['Nobody can say it.', 'It is open.'] }),
    });
    const end = call.says(1000, 'Is it open?');
    call.says(end + 4000, 'Is it open now?');
    call.runTo(end + 12_000);
    expect(call.spoken[0]).toBe('It is open.');
    expect(call.of('finish')).toMatchObject([{ endReason: 'voice-failed' }]);
  });
});
