import { describe, expect, test } from 'vitest';
import type { LlmMessage, LlmRequest } from '../../src/ports/llm.ts';
import {
  httpError,
  parseVendorError,
  presentable,
} from '../../src/providers/openai-llm/error-protocol.ts';
import { CHAT_QUIRKS } from '../../src/providers/openai-llm/quirks.ts';
import {
  type Concession,
  chatCompletionsUrl,
  concessionFor,
  type RequestContext,
  serializeChatRequest,
} from '../../src/providers/openai-llm/request-protocol.ts';
import { SseParser } from '../../src/providers/openai-llm/sse-protocol.ts';
import { ChatStream } from '../../src/providers/openai-llm/stream-protocol.ts';
import { ThoughtFilter } from '../../src/providers/openai-llm/thought-protocol.ts';
import { cpuMsOf } from '../support/cpu-time.ts';
import fc from '../support/properties.ts';

const provider = 'openai';
const signal = new AbortController().signal;

describe('SSE', () => {
  const source =
    ': hello\ndata: {"text":"naïve 日本 🎈"}\n\nevent: error\r\ndata: a\r\ndata:b\r\n\r\n' +
    'id: 7\rdata\r\rretry: 5\ndata:  two\n\nunknown: x\n\ndata: unfinished';
  const events = [
    { event: 'message', data: '{"text":"naïve 日本 🎈"}' },
    { event: 'error', data: 'a\nb' },
    { event: 'message', data: '' },
    { event: 'message', data: ' two' },
  ];

  test('comments, line ends of all kinds, multi-line data and unknown fields', () => {
    expect(new SseParser({ provider }).push(Buffer.from(source))).toEqual(events);
  });

  test('bytes may be split anywhere, within a character and between CR and LF too', () => {
    const bytes = Buffer.from(source);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 40 }), (cuts) => {
        const parser = new SseParser({ provider });
        const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const parsed = edges.flatMap((edge, i) =>
          parser.push(bytes.subarray(edges[i - 1] ?? 0, edge)),
        );
        expect(parsed).toEqual(events);
      }),
    );
  });

  test('an event without end is refused at the limit', () => {
    const parser = new SseParser({ provider, maxEventChars: 100 });
    parser.push(Buffer.from('data: '.padEnd(90, 'x')));
    expect(() => parser.push(Buffer.from('x'.repeat(20)))).toThrow(
      expect.objectContaining({ class: 'protocol', code: 'event_too_large' }),
    );
    const lines = new SseParser({ provider, maxEventChars: 100 });
    expect(() => lines.push(Buffer.from('data: 12345678\n'.repeat(20)))).toThrow(/more than 100/);
  });
});

describe('thoughts', () => {
  test.each([
    ['<think>hmm</think>Hello', 'Hello'],
    ['\n<think>\nhm < m\n</think>\n\nHello there', 'Hello there'],
    ['Hello <think>not a thought</think>', 'Hello <think>not a thought</think>'],
    ['<thinner>', '<thinner>'],
    ['<think>for ever', ''],
    ['  ', '  '],
    ['<thi', '<thi'],
  ])('%j is heard as %j, however it is split', (text, heard) => {
    for (let size = 1; size <= text.length; size++) {
      const filter = new ThoughtFilter();
      let out = '';
      for (let at = 0; at < text.length; at += size) out += filter.push(text.slice(at, at + size));
      expect(out + filter.end()).toBe(heard);
    }
  });
});

test('blanks that come before anything else are looked through once, not at each chunk', () => {
  const filter = new ThoughtFilter();
  let chars = 0;
  const cpuMs = cpuMsOf(() => {
    for (let i = 0; i < 200_000; i++) chars += filter.push('  ').length;
  });
  expect(chars + filter.end().length).toBe(400_000);
  expect(cpuMs).toBeLessThan(2000);
});

describe('tool calls of a hostile model', () => {
  const stream = () =>
    new ChatStream({
      provider: 'custom-llm',
      createId: () => 'id',
      onExtra: () => undefined,
      secrets: [],
    });
  const event = (...calls: object[]) => ({
    event: 'message',
    data: JSON.stringify({ choices: [{ delta: { tool_calls: calls } }] }),
  });

  test('arguments in tiny fragments are read once', () => {
    const chat = stream();
    const fragment = event({ index: 0, id: 'a', function: { name: 'book', arguments: '[1,' } });
    const cpuMs = cpuMsOf(() => {
      for (let i = 0; i < 40_000; i++) chat.accept(fragment);
    });
    expect(cpuMs).toBeLessThan(3000);
  });

  test.each([
    [
      'arguments without end',
      { index: 0, id: 'a', function: { name: 'b', arguments: 'x'.repeat(5000) } },
      27,
    ],
    ['calls without end', { id: '', function: { name: 'book', arguments: '{ }' } }, 65],
  ])('%s are given up', (_what, fragment, most) => {
    const chat = stream();
    const accept = (times: number) => {
      for (let i = 0; i < times; i++) chat.accept(event(fragment));
    };
    accept(most - 1);
    expect(() => accept(1)).toThrow('called more than 64 tools');
  });
});

const conversation: readonly LlmMessage[] = [
  { role: 'system', content: 'You are the phone agent of Acme.' },
  { role: 'user', content: 'Where is order 77?' },
  {
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'call_1', name: 'get_order', arguments: '{"id":77}' }],
  },
  { role: 'tool', toolCallId: 'call_1', content: '{"status":"shipped"}' },
];

const tool = {
  name: 'get_order',
  description: 'Look up an order',
  parameters: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { $schema: { type: 'string' }, id: { type: 'integer' } },
    required: ['$schema', 'id'],
    additionalProperties: false,
  },
  strict: true,
} as const;

function bodyOf(
  request: Partial<LlmRequest>,
  vendor: keyof typeof CHAT_QUIRKS = 'openai',
  context: Partial<RequestContext> = {},
): Record<string, unknown> {
  const text = serializeChatRequest(
    { messages: conversation, signal, ...request },
    {
      model: 'm',
      quirks: CHAT_QUIRKS[vendor],
      concessions: new Set(),
      extras: new Map(),
      ...context,
    },
  );
  return JSON.parse(text) as Record<string, unknown>;
}

describe('request', () => {
  test('the reference form', () => {
    const request = { tools: [tool], temperature: 0.4, maxTokens: 400, cacheKey: 'agent_42' };
    expect(bodyOf(request)).toEqual({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true, include_obfuscation: false },
      max_completion_tokens: 400,
      temperature: 0.4,
      prompt_cache_key: 'agent_42',
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_order',
            description: 'Look up an order',
            parameters: tool.parameters,
            strict: true,
          },
        },
      ],
      parallel_tool_calls: true,
      messages: [
        conversation[0],
        conversation[1],
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'get_order', arguments: '{"id":77}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '{"status":"shipped"}' },
      ],
    });
  });

  test('each turn’s request begins with the bytes of the one before', () => {
    const context = {
      model: 'm',
      quirks: CHAT_QUIRKS.openai,
      concessions: new Set<Concession>(),
      extras: new Map(),
    };
    const common = { tools: [tool], temperature: 0.4, maxTokens: 400, cacheKey: 'k', signal };
    const first = serializeChatRequest({ ...common, messages: conversation.slice(0, 2) }, context);
    const second = serializeChatRequest(
      { ...common, messages: conversation, toolChoice: 'none' },
      context,
    );
    const shared = first.slice(0, first.lastIndexOf(']'));
    expect(second.startsWith(shared)).toBe(true);
    expect(shared).toContain('Where is order 77?');
    expect(first.indexOf('"tools"')).toBeLessThan(first.indexOf('"messages"'));
  });

  test('vendors differ by their row', () => {
    const request = { tools: [tool], temperature: 1.7, maxTokens: 5, cacheKey: 'k' };
    expect(bodyOf(request, 'custom-llm')).toMatchObject({ max_tokens: 5, temperature: 1.7 });
    expect(bodyOf(request, 'custom-llm')).not.toHaveProperty('prompt_cache_key');
    expect(bodyOf(request, 'custom-llm')).not.toHaveProperty('parallel_tool_calls');
    expect(bodyOf(request, 'anthropic')).toMatchObject({ temperature: 1 });
    expect(bodyOf(request, 'deepseek')).toMatchObject({ max_tokens: 5 });
    expect(JSON.stringify(bodyOf(request, 'google').tools)).not.toMatch(/additionalProp|strict/);
    expect(bodyOf(request, 'google')).toHaveProperty('tools.0.function.parameters', {
      type: 'object',
      properties: { $schema: { type: 'string' }, id: { type: 'integer' } },
      required: ['$schema', 'id'],
    });
    expect(bodyOf(request, 'azure-openai')).toHaveProperty('stream_options', {
      include_usage: true,
    });
  });

  test('fields a vendor sent with a call go back with it; a stand-in where they were lost', () => {
    const extra = { extra_content: { google: { thought_signature: 'abc' } } };
    const kept = bodyOf({}, 'google', { extras: new Map([['call_1', extra]]) });
    expect(kept).toHaveProperty('messages.2.tool_calls.0.extra_content', extra.extra_content);
    expect(bodyOf({}, 'google')).toHaveProperty(
      'messages.2.tool_calls.0.extra_content.google.thought_signature',
      'skip_thought_signature_validator',
    );
    expect(bodyOf({})).not.toHaveProperty('messages.2.tool_calls.0.extra_content');
  });

  test('an answer’s schema goes by the strongest means the vendor has', () => {
    const responseSchema = { name: 'summary', schema: { type: 'object' } };
    expect(bodyOf({ responseSchema })).toHaveProperty('response_format', {
      type: 'json_schema',
      json_schema: { name: 'summary', strict: true, schema: { type: 'object' } },
    });
    const worded = bodyOf({ responseSchema }, 'deepseek');
    expect(worded).toHaveProperty('response_format', { type: 'json_object' });
    expect(JSON.stringify(worded.messages)).toMatch(/JSON Schema/);
    const plain = bodyOf({ responseSchema }, 'anthropic');
    expect(plain).not.toHaveProperty('response_format');
    expect(JSON.stringify(plain.messages)).toMatch(/JSON Schema/);
  });

  test('toolChoice is sent only when it says something', () => {
    expect(bodyOf({ tools: [tool], toolChoice: 'auto' })).not.toHaveProperty('tool_choice');
    expect(bodyOf({ tools: [tool], toolChoice: 'none' })).toHaveProperty('tool_choice', 'none');
    expect(bodyOf({ toolChoice: 'none' })).not.toHaveProperty('tool_choice');
  });

  test.each([
    ['http://h/v1', 'http://h/v1/chat/completions'],
    ['http://h/v1/', 'http://h/v1/chat/completions'],
    ['http://h', 'http://h/chat/completions'],
    [
      'https://r.openai.azure.com/openai/deployments/d?api-version=2024-10-21',
      'https://r.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21',
    ],
    ['nonsense', undefined],
  ])('%s -> %s', (base, url) => {
    expect(chatCompletionsUrl(base)).toBe(url);
  });
});

describe('refusals', () => {
  const body = JSON.stringify({ max_tokens: 5, temperature: 1, messages: [] });
  const refused = (message: string, param = ''): Concession | undefined =>
    concessionFor({ message, code: '', type: '', param }, body, new Set());

  test('what the refusal names and we sent is conceded, once', () => {
    expect(refused("'max_tokens' is not supported, use 'max_completion_tokens'")).toBe(
      'max_tokens',
    );
    expect(refused('Unsupported value', 'temperature')).toBe('temperature');
    expect(refused('[{"loc":["body","temperature"],"msg":"Extra inputs"}]')).toBe('temperature');
    expect(refused('Unsupported', 'stream_options')).toBeUndefined();
    expect(refused('context_length_exceeded')).toBeUndefined();
    expect(
      concessionFor(
        { message: 'temperature', code: '', type: '', param: '' },
        body,
        new Set<Concession>(['temperature']),
      ),
    ).toBeUndefined();
  });

  test('a concession changes the request', () => {
    const give = (concession: Concession, vendor: keyof typeof CHAT_QUIRKS = 'openai') =>
      bodyOf(
        {
          tools: [tool],
          maxTokens: 5,
          temperature: 1,
          cacheKey: 'k',
          toolChoice: 'none',
          responseSchema: { name: 's', schema: {} },
        },
        vendor,
        { concessions: new Set([concession]) },
      );
    expect(give('max_tokens')).toMatchObject({ max_tokens: 5 });
    expect(give('max_tokens', 'custom-llm')).toMatchObject({ max_completion_tokens: 5 });
    expect(give('temperature')).not.toHaveProperty('temperature');
    expect(give('stream_options')).not.toHaveProperty('stream_options');
    expect(give('prompt_cache_key')).not.toHaveProperty('prompt_cache_key');
    expect(give('parallel_tool_calls')).not.toHaveProperty('parallel_tool_calls');
    expect(give('tool_choice')).not.toHaveProperty('tool_choice');
    expect(JSON.stringify(give('strict').tools)).not.toContain('"strict"');
    expect(give('json_schema')).toHaveProperty('response_format.type', 'json_object');
    expect(give('json_object')).not.toHaveProperty('response_format');
  });
});

describe('errors', () => {
  const secret = 'sk-proj-SECRETSECRET';
  const failure = (status: number, body: unknown, headers = {}) =>
    httpError({
      provider,
      status,
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
      secrets: [secret],
    });

  test.each([
    [400, { error: { message: 'bad', code: 'context_length_exceeded' } }, 'invalid', false],
    [401, { error: { message: `Incorrect API key: ${secret}` } }, 'auth', false],
    [402, {}, 'quota', false],
    [403, {}, 'auth', false],
    [404, { error: { message: 'no model', code: 'model_not_found' } }, 'invalid', false],
    [408, {}, 'timeout', true],
    [429, { error: { code: 'rate_limit_exceeded' } }, 'rate', true],
    [429, { error: { code: 'insufficient_quota' } }, 'quota', false],
    [429, { error: { type: 'insufficient_quota' } }, 'quota', false],
    [500, '<html>Bad gateway</html>', 'network', true],
    [503, [{ error: { message: 'overloaded', status: 'UNAVAILABLE' } }], 'network', true],
    [301, '', 'protocol', false],
  ])('%i %j is %s', (status, body, expected, retryable) => {
    const error = failure(status, body);
    expect(error).toMatchObject({ class: expected, provider, retryable });
    expect(error.message).toContain(String(status));
    expect(error.message).not.toContain('SECRET');
    expect(error.message).not.toContain('html');
  });

  test('retry-after is kept, in ms or in seconds', () => {
    expect(failure(429, {}, { 'retry-after': '3' }).retryAfterMs).toBe(3000);
    expect(failure(429, {}, { 'retry-after-ms': '120', 'retry-after': '3' }).retryAfterMs).toBe(
      120,
    );
    expect(failure(429, {}, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }).retryAfterMs).toBe(
      undefined,
    );
  });

  test.each([
    [{ error: { message: 'a', param: 'tools[0]' } }, { message: 'a', param: 'tools[0]' }],
    [[{ error: { message: 'b' } }], { message: 'b' }],
    [
      { object: 'error', message: 'c', code: 400 },
      { message: 'c', code: '400' },
    ],
    [{ error: 'd' }, { message: 'd' }],
    [{ detail: 'e' }, { message: 'e' }],
    [{ detail: [{ loc: ['body', 'x'] }] }, { message: '[{"loc":["body","x"]}]' }],
    [null, { message: '' }],
    [7, { message: '' }],
  ])('%j is understood', (body, expected) => {
    expect(parseVendorError(JSON.stringify(body))).toMatchObject(expected);
  });

  test('what a vendor says is made presentable', () => {
    const said = presentable(
      `key ${secret}\nand sk-abc***wxyz, Bearer abcdefgh\u0007 AIzaSyABCDEFGH`,
      [secret],
    );
    expect(said).toBe('key [redacted] and [redacted], [redacted] [redacted]');
    expect(presentable('x'.repeat(1000), []).length).toBeLessThanOrEqual(200);
  });
});
