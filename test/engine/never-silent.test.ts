import { describe, expect, test } from 'vitest';
import { CallHarness, type World } from '../support/call-harness.ts';

const endCall = { enabled: true, message: 'Bye now.', phrases: ['goodbye'], toolDescription: '' };

const talking = (world: World = {}) =>
  new CallHarness({ ...world, settings: { endCall, ...world.settings } }).answer();

const finish = (call: CallHarness) =>
  call.of('finish').map(({ endReason, trigger }) => [endReason, trigger]);

describe('never silent', () => {
  test('[A5] a model that fails is asked once more, then apologised for', () => {
    const call = talking({ model: (_text, n) => (n < 2 ? { error: true } : 'Back.') });
    call.says(2000, 'Is it open?');
    call.runTo(9000);
    expect(call.of('llm.start')).toHaveLength(2);
    expect(call.spoken.at(-1)).toContain('Sorry');
  });

  test('[A5] three failures in a row end the call with words', () => {
    const call = talking({ model: () => ({ error: true }) });
    for (const at of [2000, 10_000, 18_000]) call.says(at, 'Is it open?');
    call.runTo(40_000);
    expect(call.spoken.slice(1)).toEqual([
      expect.stringContaining('Sorry'),
      expect.stringContaining('Sorry'),
      expect.stringContaining('technical'),
    ]);
    expect(finish(call)).toEqual([['model-failed', 'assistant']]);
  });

  test('[A5] failures count in a row only while no word comes', () => {
    const call = talking({ model: () => ({ silent: true }) });
    for (const at of [2000, 10_000, 18_000]) {
      const end = call.says(at, 'Is it open?');
      call.runTo(end + 1000);
      const genId = call.of('llm.start').at(-1)?.genId ?? 0;
      const error = { code: 'http_500', message: 'broken', retryable: true };
      call.at(end + 1000, { type: 'llm.text', genId, text: 'It is' });
      call.at(end + 1100, { type: 'llm.error', genId, error });
      call.runTo(at + 8000);
    }
    expect(call.of('webhook').filter(({ kind }) => kind === 'error')).toHaveLength(3);
    expect(call.spoken.filter((text) => text === 'It is')).toHaveLength(3);
    expect(call.of('finish')).toEqual([]);
  });

  test('[A5] failures count in a row only from the last word that came', () => {
    const call = talking({
      model: (_text, n) => (n === 0 ? { silent: true } : { error: true }),
    });
    const end = call.says(2000, 'Is it open?');
    call.runTo(end + 1000);
    const genId = call.of('llm.start')[0]?.genId ?? 0;
    const error = { code: 'http_500', message: 'broken', retryable: true };
    call.at(end + 1000, { type: 'llm.text', genId, text: 'It is' });
    call.at(end + 1100, { type: 'llm.error', genId, error });
    call.says(10_000, 'Is it open?');
    call.runTo(17_000);
    expect(call.of('webhook').filter(({ kind }) => kind === 'error')).toHaveLength(2);
    expect(call.of('finish')).toEqual([]);
  });

  test('[A5] a tool that the model asks for is an answer, too, and starts the count anew', () => {
    const done = { type: 'request-complete', content: 'It is done.', role: 'assistant' } as const;
    const call = talking({
      settings: {
        tools: [
          {
            definition: { name: 'book', description: '', parameters: {} },
            ...{ async: false, readOnly: true, timeoutMs: 5000 },
            lines: [{ ...done, endCall: false }],
          },
        ],
      },
      // Each turn that fails has asked twice.
      model: (_text, n) => (n === 4 ? { calls: [{ id: 't1', name: 'book' }] } : { error: true }),
    });
    for (let n = 0; n < 5; n++) call.says(2000 + n * 8000, 'Book it, would you?');
    call.runTo(41_000);
    expect(call.spoken.filter((text) => text === 'It is done.')).toHaveLength(1);
    expect(call.spoken.filter((text) => text.includes('Sorry'))).toHaveLength(4);
    expect(call.of('finish')).toEqual([]);
  });

  test('[K3] a reply that does not come at all is given up after 20 s, with an apology', () => {
    const call = talking({ model: () => ({ silent: true }) });
    const end = call.says(2000, 'Is it open?');
    call.runTo(end + 1000);
    const { at: asked = 0, genId = 0 } = call.of('llm.start')[0] ?? {};
    // The model has begun with a tool call, and then says no more.
    call.at(asked + 500, {
      ...{ type: 'llm.toolCall', genId, toolCallId: 't1', name: 'book', arguments: '{}' },
    });
    call.runTo(asked + 24_000);
    expect(call.of('llm.cancel').map(({ at }) => at)).toEqual([asked + 20_000]);
    expect(call.spoken.at(-1)).toContain('Sorry');
    expect(call.call.view.assistant).toBe('idle');
  });

  test('[K3] [Y5] nobody is told that an answer takes long once a person has taken the call over', () => {
    const call = talking({ model: () => ({ silent: true }) });
    const end = call.says(2000, 'Is it open?');
    call.at(end + 2000, { type: 'control.takeOver', by: 'Anna' }).runTo(end + 30_000);
    expect(call.of('llm.cancel')).toHaveLength(1);
    expect(call.of('webhook')).toEqual([]);
  });

  test('[K3] a reply that is long in coming: webhook at 5 s, a filler at 8 s', () => {
    const call = talking({
      modelMs: 4900,
      model: (_t, n) => (n === 0 ? { silent: true } : 'Yes.'),
    });
    const end = call.says(2000, 'Is it open?');
    call.runTo(end + 15_000);
    const committed = call.of('llm.start')[0]?.at ?? 0;
    const hang = call.of('webhook').filter(({ kind }) => kind === 'hang');
    expect(hang.map(({ at }) => at - committed)).toEqual([5000]);
    expect(call.spoken).toEqual(['Hello there.', 'One moment, please.', 'Yes.']);
  });

  test('[K3] [X6] only the first silence after hold music is bridged sooner', () => {
    const look = { name: 'look', description: '', parameters: {} };
    const call = talking({
      settings: {
        tools: [{ definition: look, async: false, readOnly: true, timeoutMs: 20_000, lines: [] }],
      },
      model: (_text, n) => (n === 0 ? { calls: [{ id: 't1', name: 'look' }] } : { silent: true }),
      tool: () => ({ afterMs: 1500, result: 'nobody' }),
    });
    call.at(2000, { type: 'control.forward', to: '+14155550123' });
    call.at(8000, { type: 'operator.failed', legId: 1, reason: 'busy', code: '486' });
    call.runTo(22_000);
    const asked = call.of('llm.start').at(1)?.at ?? 0;
    expect(asked).toBeGreaterThan(8000);
    const filler = call.of('tts.start').find(({ text }) => text.startsWith('One moment, please.'));
    expect(filler?.at).toBe(asked + 8000);
  });

  test('[K3] a model that begins, and has no word after 20 s, is given up', () => {
    const call = talking({ model: () => ({ silent: true }) });
    const end = call.says(2000, 'Is it open?');
    call.runTo(end + 1000);
    const { at: committed = 0, genId = 0 } = call.of('llm.start')[0] ?? {};
    call.at(end + 1000, { type: 'llm.text', genId, text: ' ' });
    call.runTo(end + 24_000);
    const errors = call.of('webhook').filter(({ kind }) => kind === 'error');
    expect(errors.map(({ at }) => at - committed)).toEqual([20_000]);
    expect(call.spoken.at(-1)).toContain('Sorry');
  });

  test('[K1] playback that stands still is given up, with what was heard', () => {
    const call = talking({
      settings: { welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true } },
    });
    call.runTo(10);
    call.at(1000, { type: 'control.say', text: 'One two three four five.' });
    call.runTo(1150);
    const before = call.farEnd.heard.length;
    expect(before).toBe(1);
    call.freezePlayback();
    call.runTo(8000);
    // Two seconds after it began.
    const [from] = call.farEnd.heard.map(({ from }) => from);
    expect(call.of('play.clear').map(({ at }) => at)).toEqual([(from ?? 0) + 2000]);
    expect(call.call.view.assistant).toBe('idle');
    expect(call.of('webhook').map(({ kind }) => kind)).toEqual(['error']);
  });
});
