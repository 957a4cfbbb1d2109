import { describe, expect, test } from 'vitest';
import { CallHarness, type World } from '../support/call-harness.ts';

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

describe('a draft', () => {
  test.each([
    [9000, 1],
    [11_000, 0],
  ])('[S1] is written for a caller who has spoken for %i ms without a pause: %i', (ms, count) => {
    const call = drafting();
    call.voice(1000, 14_000);
    call.at(1000 + ms - 100, { type: 'vad.lull' });
    const text = 'I want to book a table.';
    const at = 1000 + ms;
    call.at(at, { type: 'stt.final', segId: 's1', text, startAt: 1000, endAt: at, conf: 0.9 });
    call.runTo(at + 500);
    expect(drafts(call)).toHaveLength(count);
  });

  test('[S2] [E6] whose first sentence no voice could speak is voiced anew when it is the reply', () => {
    let tries = 0;
    const call = drafting({
      modelMs: 50,
      model: () => ({ pieces: ['Yes.', 'Until six.'] }),
      voiceFails: (text) => text === 'Yes.' && tries++ === 0,
    });
    call.says(1000, 'I want to book a table.', { finalMs: 0, interims: false });
    call.runTo(9000);
    expect(call.of('tts.start').map(({ text }) => text)).toEqual(['Yes.', 'Yes.', 'Until six.']);
    expect(call.spoken).toEqual(['Yes.', 'Until six.']);
    expect(call.of('webhook')).toEqual([]);
  });

  test('[S3] [A1] that becomes the reply while a wait for a tool would still last ends that wait', () => {
    const tool = (name: string, readOnly: boolean) => ({
      definition: { name, description: '', parameters: {} },
      ...{ async: false, readOnly, timeoutMs: 20_000, lines: [] },
    });
    const call = drafting({
      settings: { tools: [tool('book', false), tool('look', true)] },
      tool: (name) => ({ afterMs: name === 'book' ? 2200 : 5000, result: 'done' }),
      model: (text) => {
        const name = text.includes('window') ? 'look' : 'book';
        return { calls: [{ id: name, name }] };
      },
    });
    const end = call.says(1000, 'Book Friday, would you?');
    call.says(end + 900, 'For two, is that all right?', { ms: 700 });
    call.says(end + 2000, 'And by the window, please?', { ms: 900 });
    call.runTo(end + 7000);
    expect(call.of('tool.invoke').map(({ name }) => name)).toEqual(['book', 'look']);
    const looks = call.of('tool.invoke')[1]?.at ?? 0;
    expect(call.of('llm.adopt').at(-1)?.at).toBeGreaterThan(looks - 500);
    expect(looks).toBeLessThan(end + 4000);
    expect(call.of('llm.start').filter(({ at }) => at > looks)).toEqual([]);
  });

  test('[S3] [A5] that has become the reply has no more time to say something than any other', () => {
    const call = drafting({ model: (_text, n) => (n === 0 ? { silent: true } : 'All right.') });
    call.says(1000, 'I want to book a table.', { finalMs: 100, interims: false });
    call.runTo(12_000);
    const asked = drafts(call)[0]?.at ?? 0;
    expect(call.of('llm.adopt')).toHaveLength(1);
    expect(call.of('llm.cancel').map(({ at }) => at)).toEqual([asked + 5000]);
    expect(call.spoken.at(-1)).toBe('All right.');
  });
});
