import { describe, expect, test } from 'vitest';
import { CallHarness, type World } from '../support/call-harness.ts';

const endCall = { enabled: true, message: 'Bye now.', phrases: ['goodbye'], toolDescription: '' };

const talking = (world: World = {}) =>
  new CallHarness({ ...world, settings: { endCall, ...world.settings } }).answer();

const finish = (call: CallHarness) =>
  call.of('finish').map(({ endReason, trigger }) => [endReason, trigger]);

describe('the end of a call', () => {
  test("[E1] the endCall tool: the model's words, the farewell, then the line goes down", () => {
    const call = talking({
      model: () => ({ pieces: ['It was a pleasure.'], calls: [{ id: 'c1', name: 'endCall' }] }),
    });
    call.says(2000, 'That is all, thank you.');
    call.runTo(20_000);
    expect(call.spoken).toEqual(['Hello there.', 'It was a pleasure.', 'Bye now.']);
    const last = call.farEnd.heard.at(-1);
    expect(call.of('hangup')[0]?.at).toBe(last?.to);
    expect(finish(call)).toEqual([['assistant-ended-call', 'assistant']]);
  });

  test('[E1] who ends the call by the tool, without words, says the farewell at once', () => {
    const call = talking({ model: () => ({ calls: [{ id: 'c1', name: 'endCall' }] }) });
    call.says(2000, 'That is all, thank you.');
    call.runTo(20_000);
    expect(call.spoken).toEqual(['Hello there.', 'Bye now.']);
    expect(finish(call)).toEqual([['assistant-ended-call', 'assistant']]);
  });

  test('[E1] a recogniser that fails for good while the farewell is said begins no other', () => {
    const call = talking();
    call.at(3000, { type: 'control.end', text: 'We are closing now.' });
    const error = { code: 'bad_key', message: 'no', retryable: false };
    call.at(3500, { type: 'stt.error', error }).runTo(20_000);
    expect(call.spoken).toEqual(['Hello there.', 'We are closing now.']);
    expect(finish(call)).toEqual([['ended-by-control', 'assistant']]);
  });

  test('[E2] a closing phrase that was heard hangs up, after all of the reply and the farewell', () => {
    const call = talking({ model: () => ({ pieces: ['Goodbye!', 'Have a nice day.'] }) });
    call.says(2000, 'That is all.');
    call.runTo(20_000);
    expect(call.spoken).toEqual(['Hello there.', 'Goodbye!', 'Have a nice day.', 'Bye now.']);
    expect(finish(call)).toEqual([['assistant-said-end-phrase', 'assistant']]);
  });

  test('[E2] a farewell that the reply has just said is not said again', () => {
    const call = talking({ model: () => 'Goodbye, and bye now!' });
    call.says(2000, 'That is all.');
    call.runTo(20_000);
    expect(call.spoken).toEqual(['Hello there.', 'Goodbye, and bye now!']);
    expect(finish(call)).toEqual([['assistant-said-end-phrase', 'assistant']]);
  });

  test('[E2] a farewell that is only the end of another word is still said', () => {
    const call = talking({
      settings: { endCall: { ...endCall, message: 'Bye.' } },
      model: () => 'Goodbye!',
    });
    call.says(2000, 'That is all.');
    call.runTo(20_000);
    expect(call.spoken).toEqual(['Hello there.', 'Goodbye!', 'Bye.']);
  });

  test('[E2] cut before the phrase nothing ends', () => {
    const call = talking({
      model: (_text, n) =>
        n === 0 ? 'Then I have noted everything down for you and say goodbye' : 'Of course.',
    });
    const end = call.says(2000, 'That is all.');
    call.says(end + 2400, 'One more thing please, the address.');
    call.runTo(end + 8000);
    expect(call.of('finish')).toEqual([]);
    expect(call.spoken.at(-1)).toBe('Of course.');
  });

  test('[E3] a turn that is nothing but a closing phrase ends the call, by the user', () => {
    const call = talking();
    call.says(2000, 'Goodbye.');
    call.runTo(20_000);
    expect(call.spoken).toEqual(['Hello there.', 'Bye now.']);
    expect(call.transcript).toContain('user: Goodbye.');
    expect(finish(call)).toEqual([['user-said-end-phrase', 'user']]);
  });

  test.each(['Goodbye, thank you.', 'Okay, goodbye, thanks a lot.', 'Um, goodbye goodbye!'])(
    '[E3] courtesy beside it changes nothing: %s',
    (text) => {
      const call = talking();
      call.says(2000, text);
      call.runTo(20_000);
      expect(finish(call)).toEqual([['user-said-end-phrase', 'user']]);
    },
  );

  test('[E3] one that merely contains it does not', () => {
    const call = talking();
    call.says(2000, 'Do not say goodbye yet.');
    call.runTo(9000);
    expect(call.of('finish')).toEqual([]);
  });

  test.each([
    [400, 'assistant: Hello'],
    [3200, 'user: Is it open?'],
    [3700, 'assistant: All'],
  ])('[E4] a hang-up at %d ms freezes what was heard and ends at once', (at, last) => {
    const call = talking();
    call.says(2000, 'Is it open?');
    call.at(at, { type: 'remote.hangup' });
    call.runTo(20_000);
    expect(finish(call)).toEqual([['user-hung-up', 'user']]);
    expect(call.of('finish')[0]?.at).toBe(at);
    expect(call.transcript.at(-1)).toBe(last);
  });

  test('[E4] words spoken before a hang-up are kept', () => {
    const call = talking();
    call.says(2000, 'Is it open on Sundays?', { finalMs: 5000 });
    call.at(3400, { type: 'remote.hangup' });
    call.runTo(5000);
    expect(call.transcript.at(-1)).toMatch(/^user: Is it/);
  });

  test.each([
    ['web', 15_000],
    ['phone', 5000],
  ] as const)(
    '[E4] a lost %s connection is waited for, then the call ends by nobody',
    (callType, ms) => {
      const call = talking({ settings: { callType } });
      call.at(2000, { type: 'media.lost' });
      call.runTo(30_000);
      expect(finish(call)).toEqual([['connection-lost', undefined]]);
      expect(call.of('finish')[0]?.at).toBe(2000 + ms);
    },
  );

  test('[E4] a connection that comes back goes on', () => {
    const call = talking();
    call.at(2000, { type: 'media.lost' }).at(9000, { type: 'media.resumed' });
    call.says(10_000, 'Is it open?');
    call.runTo(14_000);
    expect(call.transcript).toEqual([
      'assistant: Hello there.',
      'user: Is it open?',
      'assistant: All right.',
    ]);
  });

  test('[E5] the longest duration ends the call', () => {
    const call = talking({ settings: { maxDurationMs: 5000 } });
    call.runTo(20_000);
    expect(finish(call)).toEqual([['max-duration', 'assistant']]);
    expect(call.of('finish')[0]?.at).toBe(5000);
  });

  test('[E5] but a protected reply is not cut off for 5 s', () => {
    const message = 'One two three four five six seven eight nine ten. '.repeat(4).trim();
    const welcome = { message, mode: 'assistant-speaks-first', interruptible: false } as const;
    const call = talking({ settings: { maxDurationMs: 2000, welcome } });
    call.runTo(20_000);
    expect(finish(call)).toEqual([['max-duration', 'assistant']]);
    expect(call.of('finish')[0]?.at).toBe(7000);
  });

  test('[E6] of a piece whose voice broke off, only what was heard is part of the record', () => {
    const call = talking({
      settings: { maxConsecutiveTtsFailures: 1 },
      voiceStalls: (text) => text.startsWith('We'),
      model: () => 'We open at nine every day.',
    });
    call.says(2000, 'Is it open?');
    call.runTo(3000);
    while (call.of('play.start').length < 2) call.runTo(call.now + 20);
    call.runTo(call.now + 300);
    const { uttId } = call.of('play.start').at(-1) ?? { uttId: 0 };
    const error = { code: 'http_500', message: 'no voice', retryable: true };
    call.at(call.now, { type: 'tts.failed', uttId, error }).runTo(20_000);
    expect(call.of('log').map(({ note }) => note)).toContain('the voice broke off');
    expect(call.of('webhook')[0]?.data).toMatchObject({ type: 'tts', code: 'http_500' });
    expect(call.transcript.at(-1)).toMatch(/^assistant: We( open)?$/);
    expect(finish(call)).toEqual([['voice-failed', 'assistant']]);
  });

  test('[E6] pieces without a voice are not part of the record; too many in a row end the call', () => {
    const call = talking({ voiceFails: (text) => !text.startsWith('Hello') });
    for (const at of [2000, 6000, 10_000]) call.says(at, 'Is it open?');
    call.runTo(30_000);
    expect(call.messages.filter(({ role }) => role === 'assistant')).toHaveLength(1);
    expect(finish(call)).toEqual([['voice-failed', 'assistant']]);
  });

  test('[E6] a reply of many pieces that has no voice counts once', () => {
    const call = talking({
      model: () => ({ pieces: ['One is here.', 'Two is here.', 'Three is here.', 'Four.'] }),
      voiceFails: (text) => !text.startsWith('Hello'),
    });
    call.says(2000, 'Is it open?');
    call.runTo(8000);
    expect(call.of('webhook').filter(({ kind }) => kind === 'error').length).toBeGreaterThan(2);
    expect(call.of('finish')).toEqual([]);
  });

  test('[E6] [K1] a voice that stalls after its first sound fails, and too many such replies end the call', () => {
    const call = talking({
      settings: { maxConsecutiveTtsFailures: 2 },
      voiceStalls: (text) => !text.startsWith('Hello'),
      model: () => 'We open at nine every day.',
    });
    call.says(2000, 'Is it open?');
    call.runTo(8000);
    const errors = () => call.of('webhook').filter(({ kind }) => kind === 'error');
    expect(errors().map(({ data }) => data)).toMatchObject([
      { type: 'tts', code: 'voice_stalled' },
    ]);
    expect(call.of('tts.cancel').at(-1)).toMatchObject({ stalled: true });
    expect(call.transcript).not.toContain('assistant: We open at nine every day.');
    call.says(9000, 'Is it open?');
    call.runTo(20_000);
    expect(finish(call)).toEqual([['voice-failed', 'assistant']]);
    // The record has what the far end counted, not the last mark.
    const cleared = call.of('play.clear').at(-1)?.at ?? Number.POSITIVE_INFINITY;
    expect(call.of('finish')[0]?.at).toBeGreaterThan(cleared);
  });

  test('[E6] a piece that is played to its end starts the count anew', () => {
    const call = talking({
      settings: { maxConsecutiveTtsFailures: 2 },
      model: (_text, n) => (n % 2 === 0 ? 'Nobody can say it.' : 'It is open.'),
      voiceFails: (text) => text.startsWith('Nobody'),
    });
    for (const at of [2000, 8000, 14_000]) call.says(at, 'Is it open?');
    call.runTo(20_000);
    expect(call.of('webhook').filter(({ kind }) => kind === 'error')).toHaveLength(2);
    expect(call.of('finish')).toEqual([]);
  });

  test('[E6] zero means never', () => {
    const call = talking({
      settings: { maxConsecutiveTtsFailures: 0 },
      voiceFails: (text) => !text.startsWith('Hello'),
    });
    for (const at of [2000, 5000, 8000, 11_000]) call.says(at, 'Is it open?');
    call.runTo(14_000);
    expect(call.of('finish')).toEqual([]);
  });
});

test.each(['busy', 'no-answer', 'failed'] as const)(
  'a telephone that is not answered: %s is what the call ended with',
  (reason) => {
    const call = new CallHarness({ settings: { callType: 'phone', direction: 'outbound' } });
    call.at(3000, { type: 'leg.failed', reason, code: '480' }).runTo(4000);
    expect(call.of('status').at(-1)).toMatchObject({ phoneCallStatus: reason });
  },
);
