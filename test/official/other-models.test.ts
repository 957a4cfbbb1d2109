import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test, vi } from 'vitest';
import { createGuardedFetch } from '../../src/lib/guarded-fetch.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import type { LlmPart, LlmRequest } from '../../src/ports/llm.ts';
import { createOpenAiLlm } from '../../src/providers/openai-llm/adapter.ts';
import { CHAT_QUIRKS } from '../../src/providers/openai-llm/quirks.ts';
import { DEFAULT_MODELS, ENDING_MODELS } from '../../src/providers/vendor-defaults.ts';
import { captureHttp, type HttpWire } from '../support/captured-wire.ts';
import { startChatEmulator } from '../support/chat-completions-emulator.ts';
import { collect } from '../support/collect.ts';

// These vendors' own SDKs speak dialects of their own, and we their Chat Completions: what is asked is compared, not how.
const clock = systemClock;
const { fetch } = createGuardedFetch({ allowPrivate: true, clock });
const { signal } = new AbortController();
const require = createRequire(import.meta.url);

const PARAMETERS = {
  type: 'object',
  properties: { day: { type: 'string' } },
  required: ['day'],
} as const;
const SYSTEM = 'You are the agent of Acme.';
const REQUEST: LlmRequest = {
  messages: [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: 'Book Friday.' },
  ],
  tools: [{ name: 'book', description: 'Books a day', parameters: PARAMETERS }],
  temperature: 0.4,
  maxTokens: 200,
  signal,
};

interface Asked {
  readonly model: string;
  readonly system: string;
  readonly user: string;
  readonly tool: unknown;
  readonly temperature: number;
  readonly maxTokens: number;
}

interface ChatBody {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools: readonly { readonly function: object }[];
  readonly temperature: number;
  readonly max_tokens: number;
}

/** Our request, and the answer in the words of Chat Completions. */
async function ours(
  vendor: 'anthropic' | 'google',
): Promise<{ asked: Asked; parts: readonly LlmPart[]; auth: string | undefined }> {
  await using emulator = await startChatEmulator();
  emulator.script({
    deltas: ['Let me book ', 'that.'],
    toolCalls: [{ id: 'call_1', name: 'book', arguments: '{"day":"Friday"}' }],
  });
  const model = createOpenAiLlm({
    provider: vendor,
    model: DEFAULT_MODELS.llm[vendor].name,
    baseUrl: emulator.baseUrl,
    quirks: CHAT_QUIRKS[vendor],
    apiKey: 'KEY',
    fetch,
    clock,
    createId: () => 'call_own',
  });
  const parts = await collect(model.stream(REQUEST));
  const [request] = emulator.requests;
  const body = request?.body as unknown as ChatBody;
  const textOf = (role: string) => body.messages.find((one) => one.role === role)?.content ?? '';
  return {
    asked: {
      model: body.model,
      system: textOf('system'),
      user: textOf('user'),
      tool: body.tools[0]?.function,
      temperature: body.temperature,
      maxTokens: body.max_tokens,
    },
    parts,
    auth: request?.headers.authorization,
  };
}

const said = (parts: readonly LlmPart[]) => ({
  text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
  calls: parts.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ name: part.call.name, arguments: JSON.parse(part.call.arguments) as unknown }]
      : [],
  ),
});

const TOOL = { name: 'book', description: 'Books a day', parameters: PARAMETERS };
const events = (...all: readonly (readonly [string | undefined, object])[]) =>
  all
    .map(([name, data]) => `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`)
    .join('');
const json = (wire: HttpWire | undefined) => JSON.parse(String(wire?.body));

test('Anthropic: the SDK asks the same, and reads the same from the same answer', async () => {
  const { default: Anthropic } = await import('@anthropic-ai/sdk');
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const block = (index: number, content_block: object, ...deltas: readonly object[]) =>
    [
      ['content_block_start', { type: 'content_block_start', index, content_block }],
      ...deltas.map((delta) => [
        'content_block_delta',
        { type: 'content_block_delta', index, delta },
      ]),
      ['content_block_stop', { type: 'content_block_stop', index }],
    ] as [string, object][];
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage };
  await using server = await captureHttp({
    contentType: 'text/event-stream',
    body: events(
      ['message_start', { type: 'message_start', message }],
      ...block(
        0,
        { type: 'text', text: '' },
        { type: 'text_delta', text: 'Let me book ' },
        { type: 'text_delta', text: 'that.' },
      ),
      ...block(
        1,
        { type: 'tool_use', id: 'call_1', name: 'book', input: {} },
        { type: 'input_json_delta', partial_json: '{"day":' },
        { type: 'input_json_delta', partial_json: '"Friday"}' },
      ),
      ['message_delta', { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage }],
      ['message_stop', { type: 'message_stop' }],
    ),
  });
  const client = new Anthropic({ apiKey: 'KEY', baseURL: server.url, maxRetries: 0 });
  const { name, description, parameters } = TOOL;
  const answer = await client.messages
    .stream({
      model: DEFAULT_MODELS.llm.anthropic.name,
      system: SYSTEM,
      messages: [{ role: 'user', content: 'Book Friday.' }],
      tools: [{ name, description, input_schema: { ...parameters, required: ['day'] } }],
      temperature: 0.4,
      max_tokens: 200,
    })
    .finalMessage();
  const body = json(server.requests[0]);
  const { asked, parts, auth } = await ours('anthropic');
  const [tool] = body.tools;
  expect(asked).toEqual({
    model: body.model,
    system: body.system,
    user: body.messages[0].content,
    tool: { name: tool.name, description: tool.description, parameters: tool.input_schema },
    temperature: body.temperature,
    maxTokens: body.max_tokens,
  });
  expect(auth).toBe('Bearer KEY');
  expect(said(parts)).toEqual({
    text: answer.content.map((one) => (one.type === 'text' ? one.text : '')).join(''),
    calls: answer.content.flatMap((one) =>
      one.type === 'tool_use' ? [{ name: one.name, arguments: one.input }] : [],
    ),
  });
  // The SDK warns of a model that is to end.
  expect(warned).not.toHaveBeenCalled();
  warned.mockRestore();
});

test('Google: the SDK asks the same, and reads the same from the same answer', async () => {
  const { GoogleGenAI } = await import('@google/genai');
  const chunk = (...parts: readonly object[]) => ({
    candidates: [{ index: 0, content: { role: 'model', parts } }],
  });
  await using server = await captureHttp({
    contentType: 'text/event-stream',
    body: events(
      [undefined, chunk({ text: 'Let me book ' })],
      [undefined, chunk({ text: 'that.' })],
      [undefined, chunk({ functionCall: { name: 'book', args: { day: 'Friday' } } })],
    ),
  });
  const client = new GoogleGenAI({ apiKey: 'KEY', httpOptions: { baseUrl: server.url } });
  const { name, description, parameters } = TOOL;
  const stream = await client.models.generateContentStream({
    model: DEFAULT_MODELS.llm.google.name,
    contents: 'Book Friday.',
    config: {
      systemInstruction: SYSTEM,
      temperature: 0.4,
      maxOutputTokens: 200,
      tools: [{ functionDeclarations: [{ name, description, parametersJsonSchema: parameters }] }],
    },
  });
  const answer = { text: '', calls: [] as object[] };
  for await (const { candidates } of stream) {
    for (const { text, functionCall } of candidates?.[0]?.content?.parts ?? []) {
      answer.text += text ?? '';
      if (functionCall)
        answer.calls.push({ name: functionCall.name, arguments: functionCall.args });
    }
  }
  const [wire] = server.requests;
  const body = json(wire);
  const { asked, parts } = await ours('google');
  const [declared] = body.tools[0].functionDeclarations;
  expect(asked).toEqual({
    model: /\/models\/([^:]+):/.exec(wire?.path ?? '')?.[1],
    system: body.systemInstruction.parts[0].text,
    user: body.contents[0].parts[0].text,
    tool: { name: declared.name, description, parameters: declared.parametersJsonSchema },
    temperature: body.generationConfig.temperature,
    maxTokens: body.generationConfig.maxOutputTokens,
  });
  expect(said(parts)).toEqual(answer);
});

describe('default models', () => {
  // Where each SDK names the models it knows.
  const DECLARATIONS: readonly (readonly [string, string, readonly string[]])[] = [
    ['openai', 'resources/shared.d.ts', [DEFAULT_MODELS.llm.openai.name]],
    ['openai', 'resources/audio/audio.d.ts', [DEFAULT_MODELS.stt.openai.name]],
    ['openai', 'resources/audio/speech.d.ts', [DEFAULT_MODELS.tts.openai.name]],
    ['openai', 'resources/embeddings.d.ts', [DEFAULT_MODELS.embeddings.openai.name]],
    ['@anthropic-ai/sdk', 'resources/messages/messages.d.ts', [DEFAULT_MODELS.llm.anthropic.name]],
    ['@google/genai', 'dist/genai.d.ts', [DEFAULT_MODELS.llm.google.name]],
    ['@cartesia/cartesia-js', 'resources/tts.d.ts', [DEFAULT_MODELS.tts.cartesia.name]],
    [
      'assemblyai',
      'dist/types/streaming/index.d.ts',
      [DEFAULT_MODELS.stt.assemblyai.name, DEFAULT_MODELS.stt['assemblyai other languages'].name],
    ],
  ];
  test.each(DECLARATIONS)('%s still knows them (%s)', (sdk, path, names) => {
    const root = require.resolve(sdk).split(`node_modules/${sdk}/`)[0];
    const text = readFileSync(`${root}node_modules/${sdk}/${path}`, 'utf8');
    expect(names.filter((name) => !text.match(new RegExp(`['"]${name}['"]`)))).toEqual([]);
  });

  test('none of them is about to end', () => {
    const names = Object.values(DEFAULT_MODELS)
      .flatMap((models) => Object.values(models))
      .map(({ name }) => name);
    expect(ENDING_MODELS.filter(({ model }) => names.includes(model))).toEqual([]);
    for (const { endsOn } of ENDING_MODELS) expect(endsOn).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });
});
