import { describe, expect, test } from 'vitest';
import { CallHarness, type World } from '../support/call-harness.ts';
import { callSettings } from '../support/call-settings.ts';

/** A call whose model is asked before the caller's turn is certain to be over. */
const drafting = (world: World = {}) =>
  new CallHarness({
    ...world,
    settings: {
      drafts: true,
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
      ...world.settings,
    },
  }).answer();

const drafts = (call: CallHarness) => call.of('llm.start').filter(({ speculative }) => speculative);

const final = (call: CallHarness, at: number, text: string) =>
  call.at(at, { type: 'stt.final', segId: text, text, startAt: at - 500, endAt: at, conf: 0.9 });

describe('a draft', () => {
  test('[S1] [S3] begins with the final text, becomes the reply, and is asked for once', () => {
    const call = drafting();
    const end = call.says(1000, 'I want to book a table.', { finalMs: 100, interims: false });
    call.runTo(9000);
    expect(call.of('llm.start')).toHaveLength(1);
    expect(drafts(call)[0]?.at).toBe(end + 100);
    expect(call.of('llm.adopt')).toEqual([{ type: 'llm.adopt', genId: 1, at: end + 316 }]);
    expect(call.of('llm.cancel')).toEqual([]);
    expect(call.transcript).toEqual(['user: I want to book a table.', 'assistant: All right.']);
  });

  test('[S6] the recogniser is asked at a lull, and a draft begins with what it gives', () => {
    const call = drafting();
    call.voice(1000, 1800);
    call.at(2920, { type: 'vad.lull' });
    final(call, 2950, 'I want to book a table.');
    call.runTo(9000);
    expect(call.of('stt.flush').map(({ at }) => at)).toEqual([2920]);
    expect(drafts(call).map(({ at }) => at)).toEqual([2950]);
    // The turn is over when it always was.
    expect(call.of('llm.adopt').map(({ at }) => at)).toEqual([3116]);
    expect(call.of('llm.start')).toHaveLength(1);
  });

  test('[S6] [S5] a caller who goes on after a lull costs a request, and is answered once', () => {
    const call = drafting();
    call.voice(1000, 3000);
    call.at(2000, { type: 'vad.lull' });
    final(call, 2060, 'I want to book a table.');
    final(call, 4100, 'For two, please.');
    call.runTo(9000);
    expect(drafts(call)).toHaveLength(2);
    expect(call.of('llm.cancel')).toHaveLength(1);
    expect(call.transcript).toEqual([
      'user: I want to book a table. For two, please.',
      'assistant: All right.',
    ]);
  });

  test.each([
    ['What is your phone number?', 0],
    ['How can I help you?', 1],
  ])('[S6] a value that is dictated stays whole: after "%s", %i', (message, flushes) => {
    const call = drafting({
      settings: { welcome: { message, mode: 'assistant-speaks-first', interruptible: true } },
    });
    call.voice(6000, 1000);
    call.at(6500, { type: 'vad.lull' });
    call.runTo(7000);
    expect(call.of('stt.flush')).toHaveLength(flushes);
  });

  test('[S6] nothing is asked for of a caller who is muted, or of nobody', () => {
    const muted = drafting().at(500, { type: 'control.mute', who: 'user', on: true });
    muted.voice(1000, 1000);
    for (const call of [muted, drafting()]) {
      call.at(1500, { type: 'vad.lull' }).runTo(3000);
      expect(call.of('stt.flush')).toEqual([]);
    }
  });

  test('[S1] an interim that has not changed for 250 ms will do', () => {
    const call = drafting();
    const heard = { type: 'stt.interim', segId: 'a', startAt: 1000, conf: 0.9 } as const;
    call.voice(1000, 1500);
    call.at(2400, { ...heard, text: 'Are you', endAt: 2400 });
    call.at(2600, { ...heard, text: 'Are you open?', endAt: 2500 });
    call.runTo(2900);
    expect(drafts(call).map(({ at }) => at)).toEqual([2850]);
  });

  test('[S1] not while the voice goes on: the next word is on its way', () => {
    const call = drafting();
    const heard = { type: 'stt.interim', segId: 'a', startAt: 1000, conf: 0.9 } as const;
    call.voice(1000, 3000);
    call.at(2000, { ...heard, text: 'Are you open?', endAt: 2000 });
    call.runTo(3500);
    expect(drafts(call)).toEqual([]);
  });

  test('[S1] after a long silence even where the caller may well go on', () => {
    const call = drafting();
    const end = call.says(1000, 'I want to book a table', { finalMs: 100, interims: false });
    call.runTo(end + 1000);
    expect(drafts(call).map(({ at }) => at)).toEqual([end + 500]);
  });

  test('[S1] not where the caller will probably go on', () => {
    const call = drafting();
    call.says(1000, 'I want to book a table for', { finalMs: 100 });
    call.runTo(2000);
    expect(call.of('llm.start')).toEqual([]);
  });

  test('[S1] not where it is switched off, nor while keys are being pressed', () => {
    const off = drafting({ settings: { drafts: false } });
    const end = off.says(1000, 'Are you open?', { finalMs: 100 });
    off.runTo(end + 150);
    expect(off.of('llm.start')).toEqual([]);
    const keyed = drafting({ settings: { dtmfInput: true } });
    keyed.says(1000, 'Are you open?', { finalMs: 100 });
    keyed.at(end - 50, { type: 'dtmf', digit: '1' }).runTo(end + 150);
    expect(keyed.of('llm.start')).toEqual([]);
  });

  test('[S1] three tries a turn and no more', () => {
    const call = drafting();
    call.at(1080, { type: 'vad.start', onsetAt: 1000 });
    for (const [i, text] of ['Tea.', 'Milk.', 'Bread.', 'Jam.', 'Eggs.'].entries()) {
      const at = 1300 + i * 400;
      call.at(at, { type: 'stt.final', segId: text, text, startAt: 1000, endAt: at, conf: 1 });
    }
    call.runTo(3200);
    expect(drafts(call)).toHaveLength(3);
    expect(call.of('llm.cancel')).toHaveLength(3);
  });

  test('[S2] where the turn is all but over, its first sentence is voiced ahead', () => {
    const call = drafting({ modelMs: 50, model: () => ({ pieces: ['Yes.', 'Until six.'] }) });
    const end = call.says(1000, 'I want to book a table.', { finalMs: 0, interims: false });
    call.runTo(end + 300);
    expect(call.of('tts.start').map(({ text }) => text)).toEqual(['Yes.']);
    expect(call.of('play.start')).toEqual([]);
    call.runTo(9000);
    expect(call.spoken).toEqual(['Yes.', 'Until six.']);
    expect(call.of('tts.start')).toHaveLength(2);
    // The usual wait, from the end of speech: model and voice are long done.
    expect(call.farEnd.heard[0]?.from).toBe(end + 400);
  });

  test('[S2] not where it is less certain', () => {
    const call = drafting({ modelMs: 50 });
    const end = call.says(1000, 'what time do you open', { finalMs: 0, interims: false });
    call.runTo(end + 300);
    expect(drafts(call)).toHaveLength(1);
    expect(call.of('tts.start')).toEqual([]);
  });

  test('[S2] after a long silence in any case', () => {
    const welcome = { ...callSettings().welcome, message: 'Could you spell your name?' };
    const call = drafting({ modelMs: 50, settings: { welcome } });
    const end = call.says(4000, 'A N N', { finalMs: 100, interims: false });
    call.runTo(end + 1090);
    expect(call.of('tts.start').map(({ text }) => text)).toEqual([welcome.message]);
    call.runTo(end + 1100);
    expect(call.of('tts.start')).toHaveLength(2);
    expect(call.of('llm.adopt')).toEqual([]);
  });

  test('[S3] the same words in other punctuation are the same', () => {
    const call = drafting();
    const end = call.says(1000, 'are you open', { finalMs: 700, interims: false });
    call.at(end - 300, {
      type: 'stt.interim',
      segId: 's1',
      text: 'Are you open?',
      startAt: 1000,
      endAt: end - 300,
      conf: 0.9,
    });
    call.runTo(9000);
    expect(call.of('llm.start')).toHaveLength(1);
    expect(call.of('llm.adopt')).toHaveLength(1);
    expect(call.transcript[0]).toBe('user: are you open');
  });

  test('[S3] a note added meanwhile changes the context: the model is asked afresh', () => {
    const call = drafting();
    const end = call.says(1000, 'Is it open?', { finalMs: 0 });
    call.at(end + 100, { type: 'control.addMessage', text: 'It is a holiday.' });
    call.runTo(9000);
    expect(call.of('llm.adopt')).toEqual([]);
    expect(call.of('llm.start').map(({ speculative }) => speculative)).toEqual([true, false]);
    expect(JSON.stringify(call.context)).toContain('holiday');
  });

  test('[S4] a tool it asks for is not touched before the turn is committed', () => {
    const book = {
      definition: { name: 'book', description: '', parameters: {} },
      async: false,
      readOnly: true,
      timeoutMs: 5000,
      lines: [],
    };
    const call = drafting({
      modelMs: 50,
      model: (_t, n) => (n === 0 ? { calls: [{ id: 't1', name: 'book' }] } : 'Booked.'),
      settings: { tools: [book] },
    });
    const end = call.says(1000, 'I want to book a table.', { finalMs: 0, interims: false });
    call.runTo(9000);
    expect(drafts(call)[0]?.at).toBe(end);
    expect(call.of('tool.invoke').map(({ at }) => at)).toEqual([end + 316]);
    expect(call.spoken).toEqual(['Booked.']);
  });

  test('[S4] nor is anything of one that is dropped', () => {
    const book = {
      definition: { name: 'book', description: '', parameters: {} },
      async: false,
      readOnly: true,
      timeoutMs: 5000,
      lines: [],
    };
    const call = drafting({
      modelMs: 50,
      model: (text) =>
        text.endsWith('two.') ? 'For two.' : { calls: [{ id: 't1', name: 'book' }] },
      settings: { tools: [book] },
    });
    const end = call.says(1000, 'I want to book a table.', { finalMs: 0, interims: false });
    call.says(end + 150, 'For two.', { finalMs: 0 });
    call.runTo(9000);
    expect(call.of('tool.invoke')).toEqual([]);
    expect(call.transcript).toEqual([
      'user: I want to book a table. For two.',
      'assistant: For two.',
    ]);
  });

  test('[S5] new words, keys and what is to be said end it at once', () => {
    for (const type of ['words', 'keys', 'say'] as const) {
      const call = drafting({ settings: { dtmfInput: true } });
      const end = call.says(1000, 'I want to book a table.', { finalMs: 0, interims: false });
      const at = end + 100;
      if (type === 'words') {
        call.at(at, {
          type: 'stt.interim',
          segId: 'x',
          text: 'for',
          startAt: end,
          endAt: at,
          conf: 1,
        });
      } else if (type === 'keys') call.at(at, { type: 'dtmf', digit: '1' });
      else call.at(at, { type: 'control.say', text: 'A notice.' });
      call.runTo(at);
      expect(call.of('llm.cancel'), type).toMatchObject([{ genId: 1, at }]);
    }
  });

  test('[S5] a hang-up ends it, and the call ends last', () => {
    const call = drafting();
    const end = call.says(1000, 'I want to book a table.', { finalMs: 0 });
    call.at(end + 100, { type: 'remote.hangup' }).runTo(9000);
    expect(call.of('llm.cancel')).toHaveLength(1);
    expect(call.commands.at(-1)?.type).toBe('finish');
  });

  test('[S1] one that fails costs nothing but itself', () => {
    const call = drafting({ model: (_t, n) => (n === 0 ? { error: true } : 'All right.') });
    const end = call.says(1000, 'I want to book a table.', { finalMs: 0, interims: false });
    call.runTo(end + 9000);
    expect(call.of('webhook')).toEqual([]);
    expect(call.spoken).toEqual(['All right.']);
  });
});
