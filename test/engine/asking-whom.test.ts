import { describe, expect, test } from 'vitest';
import { answering, LONG, SETTINGS, type Verdict } from '../support/answering-call.ts';
import { CallHarness } from '../support/call-harness.ts';

const SIDE_TALK = 'Please put it over there near that table.';
const asked = (call: CallHarness) => call.of('llm.start').filter(({ turn }) => turn > 1);

describe('when the model is asked whether words over an answer are meant', () => {
  test('[B17] a hint is not asked about', () => {
    const call = answering('silence', { settings: { hints: ['Rialto'] } });
    call.says(4000, 'Rialto is over there near that table.');
    call.runTo(30_000);
    expect(call.of('play.clear')).toHaveLength(1);
    for (const { messages } of asked(call)) expect(messages.at(-1)?.role).toBe('user');
  });

  test('[B14] [B17] nor is who speaks from the first moment of the answer', () => {
    const from = answering('silence').farEnd.heard[0]?.from ?? 0;
    const call = new CallHarness({
      model: (_text, index) => (index === 0 ? LONG : 'silence'),
      settings: SETTINGS,
    }).answer();
    call.says(200, 'How do the two plans differ?', { ms: 1200 });
    const end = call.says(from + 150, SIDE_TALK);
    call.runTo(end);
    expect(call.of('play.clear')).toHaveLength(1);
  });

  test('[B8] [B17] nor are any where a number of words decides', () => {
    const stopSpeaking = { numberOfWords: 1, voiceMs: 200 };
    const call = answering('silence', { settings: { stopSpeaking } });
    const end = call.says(4000, SIDE_TALK);
    call.runTo(end);
    expect(call.of('play.clear')).toHaveLength(1);
  });

  test('[B17] nor are words over a text that the API asked to say', () => {
    const call = answering('silence');
    call.runTo(9500);
    call.at(9500, { type: 'control.say', text: LONG });
    const end = call.says(12_000, SIDE_TALK);
    call.runTo(end);
    expect(call.of('play.clear')).toHaveLength(1);
  });

  test('[B13] [B17] nor are words that begin just before the answer is over', () => {
    const call = answering('silence');
    const from = call.farEnd.heard[0]?.from ?? 0;
    const words = LONG.split(' ').length;
    call.says(from + words * 300 - 800, SIDE_TALK);
    call.runTo(20_000);
    expect(call.of('play.clear')).toHaveLength(1);
    expect(call.transcript.at(-2)).toBe(`user: ${SIDE_TALK}`);
  });

  test('[B17] who goes on after the model was asked three times is meant', () => {
    const call = answering({ silent: true });
    let at = 4000;
    for (const text of [SIDE_TALK, 'Bring those glasses.', 'Bring those knives.'])
      at = call.says(at, text, { ms: 700 }) + 350;
    call.runTo(at);
    expect(asked(call).length).toBe(3);
    expect(call.of('play.clear')).toEqual([]);
    // Long before the hold itself, of 6 s, is over.
    const end = call.says(at, 'Then leave them in that kitchen.', { ms: 1000 });
    expect(end).toBeLessThan(9000);
    call.runTo(end + 200);
    expect(call.of('play.clear')).toHaveLength(1);
  });

  test.each<[string, Verdict, 'play.release' | 'play.clear', number]>([
    ['goes on once the model has said nothing', 'silence', 'play.release', 6400],
    ['is interrupted 3 s after them', { silent: true }, 'play.clear', 8300],
  ])(
    '[B17] a reply whose words come after the voice has ended %s',
    (_what, verdict, then, when) => {
      const call = answering(verdict, { modelMs: 800 });
      call.at(4080, { type: 'vad.start', onsetAt: 4000 });
      call.at(5500, { type: 'vad.stop', speechEndAt: 5300 });
      const words = { segId: 'late', text: SIDE_TALK, conf: 0.9, startAt: 4000, endAt: 5300 };
      call.at(5600, { type: 'stt.final', ...words });
      call.runTo(9000);
      const ended = [...call.of('play.release'), ...call.of('play.clear')];
      expect(ended.map(({ type, at }) => [type, at])).toEqual([[then, when]]);
    },
  );

  test('[B17] words that follow those of somebody else have as much time', () => {
    const call = answering('silence', {
      model: (_text, index) => (index === 0 ? `${LONG} ${LONG}` : 'silence'),
    });
    const end = call.says(4000, SIDE_TALK);
    call.says(end + 1500, 'Then bring those glasses from upstairs before they fall down again.', {
      ms: 4000,
    });
    call.runTo(20_000);
    expect(call.of('play.clear')).toEqual([]);
  });

  test('[B17] who goes on after words that were taken back is heard at once', () => {
    const call = answering({ silent: true });
    call.at(4080, { type: 'vad.start', onsetAt: 4000 });
    const heard = { segId: 'taken-back', startAt: 4000, conf: 0.9 };
    call.at(4500, { type: 'stt.interim', ...heard, text: 'Put it over there', endAt: 4500 });
    call.at(4700, { type: 'stt.interim', ...heard, text: 'Mm-hm.', endAt: 4700 });
    const end = call.says(4800, 'Which euros do you mean?', { vad: false });
    call.runTo(end + 200);
    expect(call.of('play.clear')).toHaveLength(1);
  });
});
