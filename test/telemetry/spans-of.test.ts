import * as conventions from '@opentelemetry/semantic-conventions/incubating';
import { describe, expect, test } from 'vitest';
import type { JournalLine } from '../../src/ports/journal.ts';
import type { CallSpan } from '../../src/telemetry/trace/call-span.ts';
import { spansOf, TRACED_TYPES } from '../../src/telemetry/trace/spans-of.ts';
import { readJournals } from '../support/journal-fixtures.ts';
import { recordedConversation } from '../support/recorded-conversation.ts';

const journals = readJournals();

type Entry = readonly [at: number, kind: JournalLine['kind'], type: string, data?: object];

const linesOf = (entries: readonly Entry[], settings: object = {}): JournalLine[] => {
  const created = { callId: 'WC-1', engineVersion: '30', startedAt: 1_000_000, settings };
  const all: Entry[] = [[0, 'note', 'call.created', created], ...entries];
  return all.map(([at, kind, type, data = {}], seq) => ({
    seq,
    at,
    kind,
    type,
    data: { ...data },
  }));
};

const named = (spans: readonly CallSpan[], name: string): CallSpan => {
  const [span, ...more] = spans.filter((one) => one.name === name);
  expect(more).toEqual([]);
  return span as CallSpan;
};

const TURN: readonly Entry[] = [
  [100, 'event', 'leg.answered'],
  [
    3000,
    'event',
    'stt.final',
    { segId: 's1', text: 'Book a table.', startAt: 1000, endAt: 2700, conf: 0.9 },
  ],
  [
    3100,
    'command',
    'transcript.append',
    { message: { messageId: 'u1', role: 'user', text: 'Book a table.', at: 1000 } },
  ],
  [
    3100,
    'command',
    'llm.start',
    {
      genId: 1,
      turn: 1,
      speculative: false,
      keptMessages: 0,
      messages: [
        { role: 'system', content: 'You book.' },
        { role: 'user', content: 'Book a table.' },
      ],
    },
  ],
  [3400, 'event', 'llm.text', { genId: 1, text: 'One moment.' }],
  [3400, 'command', 'tts.start', { uttId: 1, text: 'One moment.', cache: false }],
  [
    3500,
    'event',
    'llm.toolCall',
    { genId: 1, toolCallId: 't1', name: 'book', arguments: '{"at":7}' },
  ],
  [3500, 'note', 'llm.usage', { genId: 1, inputTokens: 20, outputTokens: 5, cachedTokens: 10 }],
  [3600, 'event', 'llm.done', { genId: 1, reason: 'tool-calls' }],
  [3600, 'command', 'tool.invoke', { toolCallId: 't1', name: 'book', arguments: { at: 7 } }],
  [3650, 'event', 'tts.audio', { uttId: 1 }],
  [3700, 'event', 'play.started', { uttId: 1 }],
  [3700, 'command', 'turn.metrics', { metrics: { turn: 1, endpointMs: 400, totalMs: 1000 } }],
  [3800, 'event', 'tts.done', { uttId: 1, totalMs: 900 }],
  [4600, 'event', 'play.finished', { uttId: 1 }],
  [5000, 'event', 'tool.result', { toolCallId: 't1', result: 'table 4' }],
  [
    5000,
    'command',
    'llm.start',
    {
      genId: 2,
      turn: 1,
      speculative: false,
      keptMessages: 2,
      messages: [
        {
          role: 'assistant',
          content: 'One moment.',
          toolCalls: [{ id: 't1', name: 'book', arguments: '{"at":7}' }],
        },
        { role: 'tool', toolCallId: 't1', content: 'table 4' },
      ],
    },
  ],
  [
    5200,
    'event',
    'llm.error',
    { genId: 2, error: { code: 'rate-limited', message: 'secret words' } },
  ],
  [9000, 'command', 'finish', { status: 'finished', endReason: 'user-hung-up', trigger: 'user' }],
];

const USAGE = [
  { kind: 'llm', vendor: 'azure-openai', model: 'gpt-5', requests: 2 },
  { kind: 'stt', vendor: 'deepgram', model: 'nova-3', requests: 1 },
  { kind: 'tts', vendor: 'cartesia', model: 'sonic', requests: 1 },
] as const;

describe('the trace of a call', () => {
  test('has its turn with what was heard, asked, said and done', () => {
    const spans = spansOf(linesOf(TURN, { callType: 'phone', direction: 'outbound' }), {
      usage: USAGE,
    });
    const turn = named(spans, 'turn');
    const root = named(spans, 'call');
    expect(root).toMatchObject({ kind: 'client', startMs: 1_000_000, endMs: 1_009_000 });
    expect(root.parentSpanId).toBeUndefined();
    expect(root.attributes).toMatchObject({
      'gen_ai.conversation.id': 'WC-1',
      'parley.call.end_reason': 'user-hung-up',
    });
    expect(turn).toMatchObject({ parentSpanId: root.spanId, startMs: 1_001_000, endMs: 1_005_200 });
    expect(turn.attributes).toMatchObject({ 'parley.turn': 1, 'parley.turn.total_ms': 1000 });
    const parts = spans.filter(({ parentSpanId }) => parentSpanId === turn.spanId);
    expect(parts.map(({ name, startMs, endMs }) => [name, startMs - 1e6, endMs - 1e6])).toEqual([
      ['speech_to_text', 1000, 3000],
      ['chat gpt-5', 3100, 3600],
      ['text_to_speech', 3400, 3800],
      ['execute_tool book', 3600, 5000],
      ['playback', 3700, 4600],
      ['chat gpt-5', 5000, 5200],
    ]);
    expect(parts[1]).toMatchObject({
      kind: 'client',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'azure.ai.openai',
        'gen_ai.request.model': 'gpt-5',
        'gen_ai.response.time_to_first_chunk': 0.3,
        'gen_ai.usage.input_tokens': 20,
        'gen_ai.usage.output_tokens': 5,
        'gen_ai.usage.cache_read.input_tokens': 10,
        'gen_ai.response.finish_reasons': ['tool_call'],
      },
    });
    expect(parts[5]).toMatchObject({
      errorType: 'rate-limited',
      attributes: { 'error.type': 'rate-limited' },
    });
    expect(parts[3]?.attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'book',
      'gen_ai.tool.call.id': 't1',
    });
  });

  test('names the vendor that had the work, also after another took it over', () => {
    const error = { code: 'unavailable', message: 'x' };
    const failover = { port: 'tts', vendor: 'cartesia', successor: 'openai', delayMs: 9, error };
    const spans = spansOf(
      linesOf([
        [10, 'command', 'tts.start', { uttId: 1, text: 'a' }],
        [20, 'event', 'vendor.failover', failover],
        [30, 'command', 'tts.start', { uttId: 2, text: 'b' }],
      ]),
      { usage: [...USAGE, { kind: 'tts', vendor: 'openai', model: 'tts-2', requests: 1 }] },
    );
    const voices = spans.filter(({ name }) => name === 'text_to_speech');
    expect(voices.map(({ attributes }) => attributes['gen_ai.request.model'])).toEqual([
      'sonic',
      'tts-2',
    ]);
    expect(named(spans, 'call').events).toMatchObject([{ name: 'failover', atMs: 1_000_020 }]);
  });

  test('holds the words only where that is wanted, in the form of the conventions', () => {
    const lines = linesOf(TURN);
    const without = JSON.stringify(spansOf(lines));
    for (const words of [
      'Book a table',
      'One moment',
      'table 4',
      'You book',
      'secret words',
      '"at"',
    ])
      expect(without).not.toContain(words);
    const spans = spansOf(lines, { captureContent: true });
    const [first, second] = spans.filter(({ name }) => name === 'chat');
    const read = (span: CallSpan | undefined, key: string) =>
      JSON.parse(String(span?.attributes[key])) as unknown;
    expect(read(second, 'gen_ai.input.messages')).toEqual([
      { role: 'system', parts: [{ type: 'text', content: 'You book.' }] },
      { role: 'user', parts: [{ type: 'text', content: 'Book a table.' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'text', content: 'One moment.' },
          { type: 'tool_call', id: 't1', name: 'book', arguments: '{"at":7}' },
        ],
      },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 't1', response: 'table 4' }] },
    ]);
    expect(read(first, 'gen_ai.output.messages')).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'text', content: 'One moment.' },
          { type: 'tool_call', id: 't1', name: 'book', arguments: '{"at":7}' },
        ],
        finish_reason: 'tool_call',
      },
    ]);
    expect(named(spans, 'execute_tool book').attributes).toMatchObject({
      'gen_ai.tool.call.arguments': '{"at":7}',
      'gen_ai.tool.call.result': 'table 4',
    });
  });

  test('counts the tokens of a journal that does not say whose they are, but not those of a briefing', () => {
    const spans = spansOf(
      linesOf([
        [10, 'command', 'llm.start', { genId: 4, turn: 1, speculative: true }],
        [20, 'note', 'llm.usage', { inputTokens: 7, outputTokens: 3 }],
        [30, 'note', 'llm.usage', { briefing: true, inputTokens: 99, outputTokens: 99 }],
        [40, 'event', 'llm.done', { genId: 4, reason: 'stop' }],
      ]),
    );
    expect(named(spans, 'chat').attributes).toMatchObject({ 'gen_ai.usage.input_tokens': 7 });
  });

  test('ends what nothing has ended with the call, and follows a call through processes', () => {
    const spans = spansOf(
      linesOf([
        [10, 'command', 'tool.invoke', { toolCallId: 't', name: 'wait', arguments: {} }],
        [900, 'event', 'process.lost'],
        [1900, 'event', 'call.resumed', { gapMs: 1000 }],
        [2500, 'event', 'media.lost'],
      ]),
    );
    expect(named(spans, 'execute_tool wait').endMs).toBe(1_002_500);
    expect(named(spans, 'call').events.map(({ name }) => name)).toEqual([
      'process lost',
      'taken over',
      'connection lost',
    ]);
  });

  test.each([
    ['a failure that ended the call', ['finish', 'failure'], 'model-failed', 'model-failed'],
    ['a crash of the service', ['failure'], 'internal-error', 'internal-error'],
    ['a failure that the call outlived', ['failure', 'finish'], 'tool-failed', undefined],
  ] as const)('%s is told from the others', (_what, types, code, errorType) => {
    const data = { code, status: 'finished', endReason: code };
    const spans = spansOf(linesOf(types.map((type, i): Entry => [100 + i, 'note', type, data])));
    expect(named(spans, 'call').errorType).toBe(errorType);
    expect(named(spans, 'call').events).toMatchObject([
      { name: 'failure', attributes: { 'error.type': code } },
    ]);
  });

  test('begins with the beginning of its journal, or not at all', () => {
    expect(spansOf(linesOf(TURN).slice(1))).toEqual([]);
    expect(spansOf([])).toEqual([]);
  });
});

describe.each(journals)('the trace of %s', (_name, lines) => {
  const spans = spansOf(lines, { usage: USAGE });

  test('is one tree, and no part lasts longer than what it is a part of', () => {
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    expect(byId.size).toBe(spans.length);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined)).toHaveLength(1);
    for (const { parentSpanId, startMs, endMs, name } of spans) {
      expect(endMs, name).toBeGreaterThanOrEqual(startMs);
      if (parentSpanId === undefined) continue;
      const parent = byId.get(parentSpanId);
      expect(parent?.startMs, name).toBeLessThanOrEqual(startMs);
      expect(parent?.endMs, name).toBeGreaterThanOrEqual(endMs);
    }
  });

  test('has every request to a model and a voice, and every tool', () => {
    const count = (...types: string[]) => lines.filter(({ type }) => types.includes(type)).length;
    const spansNamed = (...names: string[]) =>
      spans.filter(({ name }) => names.includes(name.split(' ')[0] as string)).length;
    expect(spansNamed('chat')).toBe(count('llm.start'));
    expect(spansNamed('text_to_speech')).toBe(count('tts.start'));
    expect(spansNamed('speech_to_text')).toBe(count('stt.final'));
    expect(spansNamed('execute_tool')).toBe(count('tool.invoke'));
  });

  test('needs only the lines that are read for it', () => {
    expect(
      spansOf(
        lines.filter(({ type }) => TRACED_TYPES.includes(type)),
        { usage: USAGE },
      ),
    ).toEqual(spans);
  });

  test('names what the conventions name as they do', () => {
    const known: ReadonlySet<unknown> = new Set(Object.values(conventions));
    const used = spans.flatMap(({ attributes }) => Object.keys(attributes));
    const others = new Set(used.filter((name) => !name.startsWith('parley.')));
    expect([...others].filter((name) => !known.has(name))).toEqual([]);
    expect(others.has('gen_ai.conversation.id')).toBe(true);
  });

  test('holds nothing that was said, and no number', () => {
    const text = JSON.stringify(spans);
    const said = lines
      .filter(({ type }) => ['stt.final', 'tts.start', 'llm.text', 'typed'].includes(type))
      .map(({ data }) => String(data.text))
      .filter((words) => words.includes(' '));
    for (const words of said) expect(text).not.toContain(words);
    expect(text).not.toMatch(/\+\d{6}/);
  });
});

test('a turn’s model and voice are found in a call as it is recorded', () => {
  const spans = spansOf(recordedConversation());
  const turns = spans.filter(({ name }) => name === 'turn');
  expect(turns.length).toBeGreaterThan(0);
  for (const turn of turns) {
    const parts = spans.filter(({ parentSpanId }) => parentSpanId === turn.spanId);
    const names = parts.map(({ name }) => name);
    for (const name of ['speech_to_text', 'chat', 'text_to_speech', 'playback'])
      expect(names).toContain(name);
  }
});
