import { describe, expect, test } from 'vitest';
import type { CallTool, ToolLine } from '../../src/engine/settings/settings.ts';
import { CallHarness, type ModelReply, type World } from '../support/call-harness.ts';

const line = (
  type: ToolLine['type'],
  content: string,
  rest: Partial<ToolLine> = {},
): CallTool['lines'][number] => ({ type, content, role: 'assistant', endCall: false, ...rest });

const delayed = line('request-response-delayed', 'Still at it.', { timingMs: 2000 });

const tool = (
  lines: readonly ToolLine[] = [],
  rest: Partial<CallTool> = {},
  name = 'book',
): CallTool => ({
  definition: { name, description: '', parameters: { type: 'object' } },
  async: false,
  readOnly: false,
  timeoutMs: 20_000,
  lines,
  ...rest,
});

const booking = (day: string, id: string) => ({ id, name: 'book', args: JSON.stringify({ day }) });
const once: ModelReply = { calls: [booking('Friday', 't1')] };
const QUESTION = 'Book Friday, would you?';

function calling(tools: readonly CallTool[], world: World = {}): CallHarness {
  return new CallHarness({
    model: (_text, n) => (n === 0 ? once : 'It is booked.'),
    ...world,
    settings: {
      tools,
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
      ...world.settings,
    },
  }).answer();
}

describe('when a tool is invoked', () => {
  const invoked = (call: CallHarness) => call.of('tool.invoke').map(({ at }) => at);

  test('[T1] [C5] a noise puts it off, and does not stop it', () => {
    const noisy = (noiseAt?: number) => {
      const call = calling([tool()], { modelMs: 50 });
      call.says(1000, QUESTION);
      if (noiseAt !== undefined) call.voice(noiseAt, 300);
      return call.runTo(9000);
    };
    const [undisturbed = 0] = invoked(noisy());
    const call = noisy(undisturbed - 150);
    expect(invoked(call)).toHaveLength(1);
    expect(invoked(call)[0]).toBeGreaterThan(undisturbed + 150);
    expect(call.spoken).toEqual(['It is booked.']);
  });

  test('[T1] a blocking line that no voice can say brings it no sooner', () => {
    const blocking = line('request-start', 'This may cost you a fee.', { blocking: true });
    const call = calling([tool([blocking])], {
      ...{ modelMs: 20, voiceMs: 10 },
      voiceFails: (text) => text.includes('fee'),
    });
    call.says(1000, QUESTION);
    call.runTo(12_000);
    expect(invoked(call)).toEqual([(call.of('llm.start')[0]?.at ?? 0) + 250]);
  });
});

describe('a tool that takes long', () => {
  test('[T2] is excused for anew if another one did before', () => {
    const call = calling([tool([delayed])], {
      model: (_text, n) =>
        [once, { calls: [booking('Saturday', 't2')] }][n] ?? 'There is no table left.',
      tool: () => ({ afterMs: 5000, result: 'full' }),
    });
    call.says(1000, QUESTION);
    call.runTo(18_000);
    expect(call.spoken).toEqual(['Still at it.', 'Still at it.', 'There is no table left.']);
  });

  test('[T2] is excused for although another one has answered meanwhile', () => {
    const call = calling([tool([delayed]), tool([], {}, 'look')], {
      model: (_text, n) =>
        n === 0
          ? { calls: [booking('Friday', 't1'), { id: 't2', name: 'look' }] }
          : 'It is booked.',
      tool: (name) => ({ afterMs: name === 'look' ? 500 : 6000, result: 'ok' }),
    });
    call.says(1000, QUESTION);
    call.runTo(14_000);
    expect(call.spoken).toEqual(['Still at it.', 'It is booked.']);
  });

  test('[T2] [C5] is not excused for to a caller who has gone on speaking', () => {
    const call = calling([tool([delayed], { readOnly: true })], {
      modelMs: 20,
      tool: () => ({ afterMs: 9000, result: 'ok' }),
    });
    const end = call.says(1000, 'Book Friday.', { finalMs: 100 });
    const more = 'or rather Saturday, if there is any table left for us at all that day';
    const spokenAt = call.says(end + 600, more, { ms: 6000 });
    call.runTo(spokenAt);
    expect(call.of('tool.invoke')).toHaveLength(1);
    expect(call.of('tts.start')).toEqual([]);
  });

  test('[T4] is not heeded once its time is over', () => {
    const call = calling([tool([], { timeoutMs: 2000 })], {
      tool: () => ({ afterMs: 1e9, result: '' }),
    });
    call.says(1000, QUESTION);
    const late = { toolCallId: 't1', error: 'answered with status 500', code: 'http_500' };
    call.at(8000, { type: 'tool.error', ...late }).runTo(9000);
    expect(call.of('webhook')).toMatchObject([{ data: { type: 'tool', code: 'tool_timeout' } }]);
    expect(call.spoken).toEqual(['It is booked.']);
  });

  test('[T5] leaves the floor free if it answers late and has no words of its own', () => {
    const filler = 'I am going to look that up for you, this may take a good while.';
    const call = calling([tool([line('request-start', filler)])], {
      model: (_text, n) => (n === 0 ? once : 'Sure.'),
      tool: () => ({ afterMs: 8000, result: 'ok', message: '' }),
      settings: { idle: { timeoutMs: 5000, maxMessages: 1, messages: ['Still there?'] } },
    });
    const end = call.says(1000, QUESTION);
    call.says(end + 1800, 'And please by the window.');
    call.runTo(17_000);
    expect(call.spoken.slice(-2)).toEqual(['Sure.', 'Still there?']);
  });
});
