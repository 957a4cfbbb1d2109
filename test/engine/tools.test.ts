import { describe, expect, test } from 'vitest';
import type { CallTool } from '../../src/engine/settings/settings.ts';
import { CallHarness, type ModelReply, type World } from '../support/call-harness.ts';

const tool = (overrides: Partial<CallTool> = {}, name = 'book'): CallTool => ({
  definition: { name, description: 'Books.', parameters: { type: 'object' } },
  async: false,
  readOnly: false,
  timeoutMs: 20_000,
  lines: [],
  ...overrides,
});

const line = (type: CallTool['lines'][number]['type'], content: string, timingMs?: number) => ({
  type,
  content,
  role: 'assistant' as const,
  endCall: false,
  ...(timingMs ? { timingMs } : {}),
});

const calling = (tools: readonly CallTool[], world: World = {}) =>
  new CallHarness({
    model: (_text, n) => (n === 0 ? once : 'It is booked.'),
    ...world,
    settings: {
      tools,
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
      ...world.settings,
    },
  }).answer();

const once: ModelReply = { calls: [{ id: 't1', name: 'book', args: '{"day":"Friday"}' }] };

describe('tools', () => {
  test('[T1] one with an effect is not invoked before the turn has stood for 250 ms', () => {
    const call = calling([tool()], { modelMs: 50 });
    call.says(1000, 'Book Friday, would you?');
    call.runTo(8000);
    const committed = call.of('llm.start')[0]?.at ?? 0;
    expect(call.of('tool.invoke')[0]).toMatchObject({
      at: committed + 250,
      arguments: { day: 'Friday' },
    });
    expect(call.spoken).toEqual(['It is booked.']);
  });

  test('[T1] one that only reads is invoked at once, and its start line is said', () => {
    const call = calling(
      [tool({ readOnly: true, lines: [line('request-start', 'Let me look.')] })],
      {
        modelMs: 50,
        tool: () => ({ afterMs: 1500, result: 'free' }),
      },
    );
    call.says(1000, 'Book Friday, would you?');
    call.runTo(9000);
    expect(call.of('tool.invoke')[0]?.at).toBe((call.of('llm.start')[0]?.at ?? 0) + 50);
    expect(call.spoken).toEqual(['Let me look.', 'It is booked.']);
    expect(call.transcript.at(-1)).toBe('assistant: Let me look. It is booked.');
  });

  test('[T2] one that takes long is excused for, in stages', () => {
    const call = calling(
      [
        tool({
          lines: [
            line('request-response-delayed', 'Any moment.', 5000),
            line('request-response-delayed', 'Still at it.', 2000),
          ],
        }),
      ],
      { tool: () => ({ afterMs: 8000, result: 'ok' }) },
    );
    call.says(1000, 'Book Friday, would you?');
    call.runTo(18_000);
    expect(call.spoken).toEqual(['Still at it.', 'Any moment.', 'It is booked.']);
  });

  test('[T2] a line that has no time of its own comes after 3 s', () => {
    const call = calling([tool({ lines: [line('request-response-delayed', 'Still at it.')] })], {
      tool: () => ({ afterMs: 8000, result: 'ok' }),
      modelMs: 50,
      voiceMs: 100,
    });
    call.says(1000, 'Book Friday, would you?');
    call.runTo(14_000);
    const asked = (call.of('llm.start')[0]?.at ?? 0) + 50;
    expect(call.of('play.start')[0]?.at).toBe(asked + 3000 + 100);
  });

  test('[T2] the line waits while somebody makes a sound, and is tried again every 500 ms', () => {
    const call = calling(
      [tool({ lines: [line('request-response-delayed', 'Still at it.', 2000)] })],
      {
        tool: () => ({ afterMs: 8000, result: 'ok' }),
        modelMs: 50,
        voiceMs: 100,
      },
    );
    call.says(1000, 'Book Friday, would you?');
    call.runTo(3500);
    const due = (call.of('llm.start')[0]?.at ?? 0) + 50 + 2000;
    call.voice(due - 200, 400).runTo(14_000);
    // Who has made the sound is silent 450 ms and half a second after it.
    expect(call.of('play.start')[0]?.at).toBe(due + 1500 + 100);
  });

  test('[T4] one that is broken is told to its owner, one that only refuses is not', () => {
    const owners = (event: { error: string; code?: string }) => {
      const call = calling([tool()], { modelMs: 50, tool: () => ({ afterMs: 1e9, result: '' }) });
      call.says(1000, 'Book Friday, would you?');
      call.runTo(4000);
      call.at(4000, { type: 'tool.error', toolCallId: 't1', ...event }).runTo(9000);
      return call.of('webhook');
    };
    expect(owners({ error: 'the oven is full' })).toEqual([]);
    expect(owners({ error: 'answered with status 500', code: 'http_500' })).toMatchObject([
      {
        kind: 'error',
        data: {
          type: 'tool',
          code: 'http_500',
          message: 'answered with status 500',
          provider: 'book',
          retryable: false,
        },
      },
    ]);
  });

  test('[T4] one that never answers is told to its owner when its time is over', () => {
    const call = calling([tool({ timeoutMs: 2000 })], {
      modelMs: 50,
      tool: () => ({ afterMs: 1e9, result: '' }),
    });
    call.says(1000, 'Book Friday, would you?');
    call.runTo(9000);
    expect(call.of('webhook')).toMatchObject([{ data: { type: 'tool', code: 'tool_timeout' } }]);
  });

  test('[T3] its completion line is spoken instead of asking the model', () => {
    const call = calling([tool({ lines: [line('request-complete', 'All set.')] })]);
    call.says(1000, 'Book Friday, would you?');
    call.runTo(8000);
    expect(call.spoken).toEqual(['All set.']);
    expect(call.of('llm.start')).toHaveLength(1);
  });

  test('[T4] a failure is told to the model, or said', () => {
    const told = calling([tool()], { tool: () => ({ afterMs: 100 }) });
    told.says(1000, 'Book Friday, would you?');
    told.runTo(8000);
    expect(told.context.at(-1)).toMatchObject({ role: 'tool', toolCallId: 't1' });
    const said = calling([tool({ lines: [line('request-failed', 'That did not work.')] })], {
      tool: () => ({ afterMs: 100 }),
    });
    said.says(1000, 'Book Friday, would you?');
    said.runTo(8000);
    expect(said.spoken).toEqual(['That did not work.']);
  });

  test('[T4] one that never answers is given up after its own time', () => {
    const call = calling([tool({ timeoutMs: 3000 })], {
      tool: () => ({ afterMs: 60_000, result: 'late' }),
    });
    call.says(1000, 'Book Friday, would you?');
    call.runTo(12_000);
    expect(call.spoken).toEqual(['It is booked.']);
    expect(JSON.stringify(call.context.at(-1))).toContain('time');
  });

  test('[T5] it goes on when its filler is interrupted, and its result enters the context', () => {
    const call = calling(
      [
        tool({
          lines: [
            line('request-start', 'I am going to book that for you right now, just a second.'),
          ],
        }),
      ],
      { tool: () => ({ afterMs: 3000, result: '{"seat":12}' }) },
    );
    const end = call.says(1000, 'Book Friday, would you?');
    call.says(end + 1500, 'By the window please, is that all right?');
    call.runTo(20_000);
    expect(call.of('tool.invoke')).toHaveLength(1);
    expect(call.of('tool.cancel')).toEqual([]);
    expect(JSON.stringify(call.context)).toContain('seat');
  });

  test('[A1] [T6] a turn during a running tool waits for it, and one reply covers both', () => {
    const call = calling([tool()], { tool: () => ({ afterMs: 3000, result: '{"seat":12}' }) });
    const end = call.says(1000, 'Book Friday, would you?');
    call.says(end + 900, 'For two, is that all right?', { ms: 700 });
    call.runTo(15_000);
    const answered = (call.of('tool.invoke')[0]?.at ?? 0) + 3000;
    expect(call.of('llm.start')).toHaveLength(2);
    expect(call.of('llm.start')[1]?.at).toBe(answered);
    expect(JSON.stringify(call.context)).toContain('seat');
    expect(call.farEnd.heard).toHaveLength(1);
  });

  test('[A1] once it has answered, its wait asks the model nothing more', () => {
    const look = { calls: [{ id: 't2', name: 'look', args: '{}' }] };
    const call = calling([tool(), tool({ readOnly: true }, 'look')], {
      model: (_text, n) => (n === 0 ? once : n === 1 ? look : 'It is booked.'),
      tool: (name) => ({ afterMs: name === 'book' ? 3000 : 5000, result: '{"seat":12}' }),
    });
    const end = call.says(1000, 'Book Friday, would you?');
    call.says(end + 900, 'For two, is that all right?', { ms: 700 });
    call.runTo(15_000);
    expect(call.of('llm.start')).toHaveLength(3);
    expect(call.of('llm.start')[2]?.at).toBe((call.of('tool.invoke')[1]?.at ?? 0) + 5000);
  });

  test.each([true, false])(
    '[T1] [C5] one of a reply that the caller cut short never runs (async: %s)',
    (isAsync) => {
      const call = calling([tool({ async: isAsync })], {
        modelMs: 30,
        model: (text, n) => {
          const args = text.includes('two') ? '{"for":"two"}' : '{}';
          const isAsked = JSON.stringify(call.context).includes(JSON.stringify(args));
          return isAsked ? { silent: true } : { calls: [{ id: `t${n}`, name: 'book', args }] };
        },
      });
      const end = call.says(1000, 'Book Friday, would you?');
      call.says(end + 260, 'For two, is that all right?', { ms: 900 });
      call.runTo(end + 2500);
      expect(call.of('llm.start').length).toBeGreaterThan(1);
      expect(call.of('tool.invoke').map((asked) => asked.arguments)).toEqual([{ for: 'two' }]);
    },
  );

  test('[A1] it does not wait for longer than 2.5 s', () => {
    const call = calling([tool()], { tool: () => ({ afterMs: 9000, result: '{"seat":12}' }) });
    const end = call.says(1000, 'Book Friday, would you?');
    const second = call.says(end + 900, 'For two, is that all right?', { ms: 700 });
    call.runTo(9000);
    const committed = call.of('transcript.patch').find(({ at }) => at > second)?.at ?? 0;
    expect(call.of('llm.start')[1]?.at).toBe(committed + 2500);
    expect(JSON.stringify(call.context)).toContain('still running');
  });

  test('[T7] the same call twice runs once', () => {
    const twice: ModelReply = {
      calls: [
        { id: 't1', name: 'book', args: '{"day":"Friday"}' },
        { id: 't2', name: 'book', args: '{"day":"Friday"}' },
      ],
    };
    const call = calling([tool()], { model: (_t, n) => (n === 0 ? twice : 'Done.') });
    call.says(1000, 'Book Friday, would you?');
    call.runTo(8000);
    expect(call.of('tool.invoke')).toHaveLength(1);
    expect(JSON.stringify(call.context)).toContain('already running');
  });

  test('[T8] an async one is accepted at once and the talk goes on', () => {
    const call = calling([tool({ async: true })], {
      tool: () => ({ afterMs: 5000, result: '{"seat":12}' }),
    });
    call.says(1000, 'Book Friday, would you?');
    call.runTo(4000);
    expect(call.spoken).toEqual(['It is booked.']);
    expect(JSON.stringify(call.context)).toContain('accepted');
  });

  test('[T9] after three steps the model must answer', () => {
    const call = calling([tool({ readOnly: true })], {
      model: (_t, n) => ({ calls: [{ id: `t${n}`, name: 'book', args: `{"n":${n}}` }] }),
      tool: () => ({ afterMs: 50, result: 'no' }),
    });
    call.says(1000, 'Book Friday, would you?');
    call.runTo(12_000);
    expect(call.of('llm.start').map(({ toolChoice }) => toolChoice)).toEqual([
      'auto',
      'auto',
      'auto',
      'none',
    ]);
  });

  test.each([
    ['broken', 'arguments'],
    ['[]', 'arguments'],
    ['null', 'arguments'],
    ['"Friday"', 'arguments'],
  ])('arguments that are %s go back to the model', (args, said) => {
    const call = calling([tool()], {
      model: (_t, n) => (n === 0 ? { calls: [{ id: 't1', name: 'book', args }] } : 'Sorry.'),
    });
    call.says(1000, 'Book Friday, would you?');
    call.runTo(8000);
    expect(call.of('tool.invoke')).toEqual([]);
    expect(JSON.stringify(call.context)).toContain(said);
  });
});
