import { describe, expect, test } from 'vitest';
import { createGuardedFetch } from '../../src/lib/guarded-fetch.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { VirtualClock } from '../../src/lib/virtual-clock.ts';
import type { LlmMessage, LlmPart, LlmRequest, LlmTool } from '../../src/ports/llm.ts';
import { createOpenAiLlm, type OpenAiLlmOptions } from '../../src/providers/openai-llm/adapter.ts';
import { CHAT_QUIRKS } from '../../src/providers/openai-llm/quirks.ts';
import {
  type ChatEmulator,
  type ChatEmulatorOptions,
  startChatEmulator,
} from '../support/chat-completions-emulator.ts';
import type { ScriptedReply, ToolStyle } from '../support/chat-completions-script.ts';
import { collect } from '../support/collect.ts';
import { startLocalServer } from '../support/local-server.ts';
import { describeLlmContract } from './llm-contract.ts';

const KEY = 'sk-proj-THISISSECRET';
const live = new AbortController().signal;
const hello: readonly LlmMessage[] = [{ role: 'user', content: 'hello' }];
const tool: LlmTool = {
  name: 'get_order',
  description: 'Look up an order',
  parameters: { type: 'object', properties: { id: { type: 'integer' } } },
};

interface Bench extends AsyncDisposable {
  readonly emulator: ChatEmulator;
  ask(request?: Partial<LlmRequest>): AsyncIterable<LlmPart>;
}

async function bench(
  replies: readonly ScriptedReply[],
  adapter: Partial<OpenAiLlmOptions> & { allowPrivate?: boolean } = {},
  server: ChatEmulatorOptions = {},
): Promise<Bench> {
  const emulator = await startChatEmulator(server);
  emulator.script(...replies);
  const clock = adapter.clock ?? systemClock;
  const guarded = createGuardedFetch({ allowPrivate: adapter.allowPrivate ?? true, clock });
  let ids = 0;
  const llm = createOpenAiLlm({
    provider: 'openai',
    model: 'gpt-4.1-mini',
    baseUrl: emulator.baseUrl,
    quirks: CHAT_QUIRKS.openai,
    apiKey: KEY,
    fetch: guarded.fetch,
    clock,
    createId: () => `call_made_${++ids}`,
    ...adapter,
  });
  return {
    emulator,
    ask: (request) => llm.stream({ messages: hello, signal: live, ...request }),
    async [Symbol.asyncDispose]() {
      await guarded.close();
      await emulator[Symbol.asyncDispose]();
    },
  };
}

function textOf(parts: readonly LlmPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

describeLlmContract('openai-llm against the emulator', async () => {
  const { emulator, ask, [Symbol.asyncDispose]: dispose } = await bench([]);
  emulator.script(
    { match: /fail/, status: 503, body: { error: { message: 'overloaded' } } },
    {
      match: /order/,
      times: 1,
      deltas: ['One moment.'],
      toolCalls: [{ id: 'call_a', name: 'get_order', arguments: '{"id":77}' }],
    },
    { deltas: ['Your order', ' has', ' shipped.'] },
  );
  return {
    llm: { provider: 'openai', stream: ask },
    talk: hello,
    act: [{ role: 'user', content: 'where is my order?' }],
    tool,
    toolResult: '{"status":"shipped"}',
    fail: [{ role: 'user', content: 'fail' }],
    [Symbol.asyncDispose]: dispose,
  };
});

describe('streams', () => {
  const deltas = ['', 'Your order ', 'is at the ', 'café — ', '日本', '🎈', '.'];

  test.each<ScriptedReply>([
    { split: 'bytes' },
    { split: 7, lineEnd: '\r\n' },
    { split: 64, lineEnd: '\r' },
    { comments: 3 },
    { azure: true },
    { noDone: true },
    { before: [{ reasoning_content: 'They want the order' }, { reasoning: 'so I say it' }] },
    { before: [{ content: '<think>secret ' }, { content: 'plan</think>\n' }] },
  ])('text and usage survive %j', async (style) => {
    await using b = await bench([{ deltas, ...style }]);
    const parts = await collect(b.ask());
    expect(textOf(parts)).toBe('Your order is at the café — 日本🎈.');
    expect(parts.every((part) => part.type !== 'text' || part.text !== '')).toBe(true);
    expect(parts.at(-1)).toEqual({
      type: 'finish',
      reason: 'stop',
      usage: { inputTokens: 120, outputTokens: 18, cachedTokens: 64 },
    });
  });

  test.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content-filter'],
    ['eos', 'stop'],
  ])('finish reason %s is %s', async (finishReason, reason) => {
    await using b = await bench([{ deltas: ['a'], finishReason }]);
    expect((await collect(b.ask())).at(-1)).toMatchObject({ type: 'finish', reason });
  });

  test('a refusal is heard, and told from an answer', async () => {
    await using b = await bench([{ before: [{ refusal: 'I can’t help with that.' }] }]);
    const parts = await collect(b.ask());
    expect(textOf(parts)).toBe('I can’t help with that.');
    expect(parts.at(-1)).toMatchObject({ reason: 'content-filter' });
  });

  test('content in parts: only text is heard', async () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: 'Yes.' },
    ];
    await using b = await bench([{ before: [{ content }] }]);
    expect(textOf(await collect(b.ask()))).toBe('Yes.');
  });

  test('connections are reused between requests', async () => {
    await using b = await bench([{ deltas }]);
    for (let i = 0; i < 8; i++) await collect(b.ask());
    expect(b.emulator.connections()).toBeLessThanOrEqual(2);
  });

  test('the request is what the endpoint expects, with the key in its header alone', async () => {
    await using b = await bench([{ deltas }], {}, { apiKey: KEY });
    await collect(b.ask({ tools: [tool], temperature: 0.2, maxTokens: 50, cacheKey: 'a1' }));
    const [request] = b.emulator.requests;
    expect(request?.path).toBe('/v1/chat/completions');
    expect(request?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(request?.body).toMatchObject({ temperature: 0.2, max_completion_tokens: 50 });
    expect(request?.raw).not.toContain(KEY);
  });
});

describe('tool calls', () => {
  const toolCalls = [
    { id: 'call_a', name: 'get_order', arguments: '{"id":77,"note":"a \\"b\\""}' },
    { id: 'call_b', name: 'get_weather', arguments: '{"city":"Graz"}' },
  ];
  const styles: readonly ToolStyle[] = [
    'openai',
    'whole',
    'zero-index',
    'missing-index',
    'missing-id',
    'missing-both',
    'name-later',
    'repeated-id',
    'interleaved',
    'parsed-arguments',
  ];

  test.each(styles)('two parallel ones in the style %s', async (toolStyle) => {
    await using b = await bench([{ deltas: ['One moment.'], toolCalls, toolStyle, split: 11 }]);
    const parts = await collect(b.ask({ tools: [tool] }));
    expect(textOf(parts)).toBe('One moment.');
    const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []));
    expect(calls.map((call) => call.name)).toEqual(['get_order', 'get_weather']);
    expect(calls.map((call) => JSON.parse(call.arguments))).toEqual(
      toolCalls.map((call) => JSON.parse(call.arguments)),
    );
    const made = toolStyle.startsWith('missing-') && toolStyle !== 'missing-index';
    expect(calls.map((call) => call.id)).toEqual(
      made ? ['call_made_1', 'call_made_2'] : ['call_a', 'call_b'],
    );
    expect(parts.at(-1)).toMatchObject({ reason: 'tool-calls' });
  });

  test('finish_reason stop with calls collected, and calls without arguments', async () => {
    const call = { id: 'call_a', name: 'hang_up', arguments: '' };
    await using b = await bench([{ toolCalls: [call], finishReason: 'stop' }]);
    const parts = await collect(b.ask({ tools: [tool] }));
    expect(parts[0]).toEqual({ type: 'tool-call', call: { ...call, arguments: '{}' } });
    expect(parts.at(-1)).toMatchObject({ reason: 'tool-calls' });
  });

  test('a call cut off by the token limit is dropped, whole ones before it are not', async () => {
    const cut = { id: 'call_b', name: 'get_weather', arguments: '{"city":"Gr' };
    await using b = await bench([
      { toolCalls: [toolCalls[0] as (typeof toolCalls)[0], cut], finishReason: 'length' },
    ]);
    const parts = await collect(b.ask({ tools: [tool] }));
    expect(parts.map((part) => part.type)).toEqual(['tool-call', 'finish']);
    expect(parts.at(-1)).toMatchObject({ reason: 'length' });
  });

  test('what a vendor attached to a call comes back to it', async () => {
    const extra = { extra_content: { google: { thought_signature: 's1' } } };
    const call = toolCalls[0] as (typeof toolCalls)[0];
    await using b = await bench([
      { times: 1, toolCalls: [call], toolStyle: 'whole', toolExtra: extra },
      { deltas: ['Shipped.'] },
    ]);
    await collect(b.ask({ tools: [tool] }));
    await collect(
      b.ask({
        messages: [
          ...hello,
          { role: 'assistant', content: '', toolCalls: [call] },
          { role: 'tool', toolCallId: call.id, content: 'ok' },
        ],
      }),
    );
    expect(b.emulator.requests[1]?.body).toHaveProperty(
      'messages.1.tool_calls.0.extra_content',
      extra.extra_content,
    );
  });
});

describe('servers that refuse fields', () => {
  test('what is refused by name is left out, and stays out', async () => {
    const quirks = { ...CHAT_QUIRKS.openai, maxTokensField: 'max_tokens' } as const;
    await using b = await bench([{ deltas: ['ok'] }], { quirks }, { profile: 'minimal' });
    const request = { temperature: 0.5, maxTokens: 9, cacheKey: 'k', tools: [tool] };
    expect(textOf(await collect(b.ask(request)))).toBe('ok');
    const tries = b.emulator.requests.length;
    expect(tries).toBe(5);
    expect(textOf(await collect(b.ask(request)))).toBe('ok');
    expect(b.emulator.requests).toHaveLength(tries + 1);
    expect(Object.keys(b.emulator.requests.at(-1)?.body ?? {})).toEqual([
      'model',
      'stream',
      'max_completion_tokens',
      'temperature',
      'tools',
      'messages',
    ]);
  });

  test('a reasoning model gets no temperature', async () => {
    await using b = await bench([{ deltas: ['ok'] }], {}, { profile: 'reasoning' });
    expect(textOf(await collect(b.ask({ temperature: 0.5, maxTokens: 9 })))).toBe('ok');
  });

  test('a refusal about something else is final', async () => {
    await using b = await bench([]);
    const broken: LlmMessage[] = [
      ...hello,
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'x', name: 'get_order', arguments: '{}' }],
      },
      { role: 'user', content: 'and?' },
    ];
    await expect(collect(b.ask({ messages: broken }))).rejects.toMatchObject({
      name: 'ProviderError',
      class: 'invalid',
      message: expect.stringContaining('did not have response messages: x'),
    });
    expect(b.emulator.requests).toHaveLength(1);
  });
});

describe('failures', () => {
  test.each<[string, ScriptedReply, object]>([
    ['401', { status: 401 }, { class: 'auth', retryable: false }],
    [
      '429 with retry-after-ms',
      { status: 429, headers: { 'retry-after-ms': '250' } },
      { class: 'rate', retryable: true, retryAfterMs: 250 },
    ],
    [
      '429 without quota',
      { status: 429, body: { error: { code: 'insufficient_quota', message: 'pay' } } },
      { class: 'quota', code: 'insufficient_quota', retryable: false },
    ],
    ['500 in HTML', { status: 500, body: '<html>oops</html>' }, { class: 'network' }],
    ['a body that never comes to an end', { fault: 'close' }, { code: 'ended_early' }],
    ['a reset mid-stream', { deltas: ['a', 'b'], fault: 'reset' }, { class: 'network' }],
    ['an error chunk', { deltas: ['a'], fault: 'error-chunk' }, { code: 'stream_error' }],
    ['an error event', { deltas: ['a'], fault: 'error-event' }, { code: 'stream_error' }],
    ['broken JSON', { deltas: ['a'], fault: 'bad-json' }, { code: 'bad_chunk' }],
    ['garbage', { raw: 'data: <xml/>\n\n' }, { class: 'protocol', code: 'bad_chunk' }],
    ['nothing at all', { raw: '' }, { class: 'protocol', code: 'ended_early' }],
    ['only an end marker', { raw: 'data: [DONE]\n\n' }, { code: 'ended_early' }],
    [
      'JSON instead of a stream',
      { raw: '{"choices":[]}', headers: { 'content-type': 'application/json' } },
      { class: 'protocol', code: 'not_a_stream' },
    ],
  ])('%s', async (_, reply, expected) => {
    await using b = await bench([reply]);
    const error = await collect(b.ask()).catch((e: unknown) => e);
    expect(error).toMatchObject({ name: 'ProviderError', provider: 'openai', ...expected });
    expect(String(error)).not.toContain('SECRET');
  });

  test('a refused key is not repeated', async () => {
    await using b = await bench([], {}, { apiKey: 'another' });
    const error = await collect(b.ask()).catch((e: unknown) => e as Error);
    expect(error).toMatchObject({ class: 'auth', code: 'invalid_api_key' });
    expect(JSON.stringify(error) + String(error)).not.toMatch(/sk-proj|CRET/);
  });

  test('the text before a failure is delivered', async () => {
    await using b = await bench([
      { deltas: ['Your order', ' has'], fault: 'reset', faultAfter: 2 },
    ]);
    const heard: string[] = [];
    const reading = (async () => {
      for await (const part of b.ask()) if (part.type === 'text') heard.push(part.text);
    })();
    await expect(reading).rejects.toMatchObject({ class: 'network', retryable: true });
    expect(heard.join('')).toBe('Your order has');
  });

  test('an answer that floods is cut off', async () => {
    await using b = await bench([{ deltas: Array(200).fill('x'.repeat(1000)) }], {
      maxResponseBytes: 50_000,
    });
    await expect(collect(b.ask())).rejects.toMatchObject({ code: 'response_too_large' });
  });

  test('a connection the server dropped while idle is replaced without an error', async () => {
    let requests = 0;
    await using server = await startLocalServer((request, response) => {
      if (++requests === 2) return request.socket.destroy();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        'data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      );
    });
    await using b = await bench([], { baseUrl: `${server.url}/v1` });
    expect(textOf(await collect(b.ask()))).toBe('hi');
    expect(textOf(await collect(b.ask()))).toBe('hi');
    expect(requests).toBe(3);
  });
});

describe('addresses', () => {
  test('a base URL that is none is refused at once', () => {
    expect(() =>
      createOpenAiLlm({
        provider: 'custom-llm',
        model: 'm',
        baseUrl: 'not a url',
        quirks: CHAT_QUIRKS['custom-llm'],
        fetch: () => Promise.reject(new Error('unused')),
        clock: systemClock,
        createId: () => 'id',
      }),
    ).toThrow(expect.objectContaining({ class: 'invalid', code: 'bad_url' }));
  });

  test('a private address is refused unless allowed', async () => {
    await using b = await bench([{ deltas: ['x'] }], {
      provider: 'custom-llm',
      allowPrivate: false,
    });
    await expect(collect(b.ask())).rejects.toMatchObject({
      class: 'invalid',
      code: 'private_target',
      provider: 'custom-llm',
    });
    expect(b.emulator.connections()).toBe(0);
  });

  test('a redirect is not followed, and the key goes nowhere else', async () => {
    await using inner = await bench([{ deltas: ['stolen'] }]);
    await using b = await bench([
      { status: 307, headers: { location: `${inner.emulator.baseUrl}/chat/completions` } },
    ]);
    await expect(collect(b.ask())).rejects.toMatchObject({
      class: 'invalid',
      code: 'redirect_refused',
    });
    expect(inner.emulator.connections()).toBe(0);
  });
});

describe('deadlines', () => {
  const deadlines = { firstTokenMs: 3000, stallMs: 1000, totalMs: 8000 };

  test('no first token', async () => {
    const clock = new VirtualClock();
    await using b = await bench([{ comments: 5, ttftMs: 1e9 }], { clock, deadlines });
    const reading = collect(b.ask()).catch((e: unknown) => e);
    const request = await b.emulator.request(0);
    clock.advanceTo(2999);
    clock.advanceTo(3001);
    expect(await reading).toMatchObject({ class: 'timeout', code: 'first_token_timeout' });
    expect(await request.disconnected).toBe(true);
  });

  test('silence in the middle', async () => {
    const clock = new VirtualClock();
    await using b = await bench([{ deltas: ['a', 'b'], fault: 'hang' }], { clock, deadlines });
    const stream = b.ask()[Symbol.asyncIterator]();
    expect(await stream.next()).toMatchObject({ value: { text: 'a' } });
    const next = stream.next().catch((e: unknown) => e);
    await new Promise((resolve) => setImmediate(resolve));
    for (let at = 0; at <= 4000; at += 500) clock.advanceTo(at);
    expect(await next).toMatchObject({ class: 'timeout', code: 'stalled', retryable: true });
  });

  test('a reader that takes its time is not a stall', async () => {
    const clock = new VirtualClock();
    await using b = await bench([{ deltas: ['a', 'b', 'c'] }], { clock, deadlines });
    const heard: string[] = [];
    for await (const part of b.ask()) {
      if (part.type === 'text') heard.push(part.text);
      clock.advanceTo(clock.now() + 5_000);
    }
    expect(heard).toEqual(['a', 'b', 'c']);
  });

  test('a reader that never comes back leaves neither timer nor connection behind', async () => {
    const clock = new VirtualClock();
    await using b = await bench([{ deltas: ['a', 'b'], fault: 'hang' }], { clock, deadlines });
    const aborted = new AbortController();
    const abandoned = b.ask({ signal: aborted.signal })[Symbol.asyncIterator]();
    await abandoned.next();
    expect(clock.nextDueAt()).toBeDefined();
    aborted.abort();
    expect(clock.nextDueAt()).toBeUndefined();
    const forgotten = b.ask()[Symbol.asyncIterator]();
    await forgotten.next();
    clock.advanceTo(clock.now() + 20_000);
    expect(clock.nextDueAt()).toBeUndefined();
    for (const request of b.emulator.requests) expect(await request.disconnected).toBe(true);
  });

  test('an answer without end', async () => {
    const clock = new VirtualClock();
    await using b = await bench(
      [{ deltas: Array(1000).fill('word '), betweenMs: 900 }],
      { clock, deadlines },
      { clock },
    );
    let parts = 0;
    const reading = (async () => {
      for await (const part of b.ask()) if (part.type === 'text') parts++;
    })().catch((e: unknown) => e);
    const ended = reading.then(() => true);
    for (let over = false; !over; ) {
      clock.advanceTo(clock.now() + 100);
      const turn = new Promise<boolean>((resolve) => setImmediate(resolve, false));
      over = await Promise.race([ended, turn]);
    }
    expect(await reading).toMatchObject({ class: 'timeout', code: 'total_timeout' });
    expect(parts).toBeGreaterThan(3);
  });

  test('a server that hangs after its answer costs the tail, not the answer', async () => {
    const clock = new VirtualClock();
    const raw = 'data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\n';
    await using server = await startLocalServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(raw);
    });
    await using b = await bench([], { clock, deadlines, baseUrl: server.url });
    const stream = b.ask()[Symbol.asyncIterator]();
    expect(await stream.next()).toMatchObject({ value: { text: 'hi' } });
    const rest = stream.next();
    await new Promise((resolve) => setImmediate(resolve));
    clock.advanceTo(clock.now() + 600);
    expect(await rest).toEqual({ done: false, value: { type: 'finish', reason: 'stop' } });
    expect(await stream.next()).toMatchObject({ done: true });
  });
});

describe('abort', () => {
  test.each<[string, ScriptedReply]>([
    ['before the first token', { ttftMs: 60_000 }],
    ['in the middle', { deltas: ['a', 'b', 'c'], fault: 'hang', faultAfter: 2 }],
  ])('%s the server sees the client go at once', async (_, reply) => {
    await using b = await bench([reply]);
    const controller = new AbortController();
    const reading = collect(b.ask({ signal: controller.signal })).catch((e: Error) => e.name);
    const request = await b.emulator.request(0);
    controller.abort();
    expect(await reading).toBe('AbortError');
    expect(await request.disconnected).toBe(true);
  });

  test('nothing is delivered after it, even of what had already arrived', async () => {
    const chunk = (text: string) => `data: {"choices":[{"delta":{"content":"${text}"}}]}\n\n`;
    const end = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{}}\n\n';
    await using b = await bench([{ raw: chunk('one') + chunk(' two') + end }]);
    const controller = new AbortController();
    const heard: LlmPart[] = [];
    const reading = (async () => {
      for await (const part of b.ask({ signal: controller.signal })) {
        heard.push(part);
        controller.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    // Texts that came together are one part.
    expect(heard).toEqual([{ type: 'text', text: 'one two' }]);
  });
});
