import type OpenAI from 'openai';
import type { RealtimeClientEvent } from 'openai/resources/realtime/realtime';
import { beforeAll, describe, expect, test } from 'vitest';
import { createGuardedFetch } from '../../src/lib/guarded-fetch.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import type { LlmPart, LlmRequest } from '../../src/ports/llm.ts';
import { createOpenAiEmbedder } from '../../src/providers/openai-embeddings/adapter.ts';
import { createOpenAiLlm } from '../../src/providers/openai-llm/adapter.ts';
import { CHAT_QUIRKS } from '../../src/providers/openai-llm/quirks.ts';
import { createOpenAiRealtimeSttProtocol } from '../../src/providers/openai-realtime-stt/protocol.ts';
import { createOpenAiTranscriptions } from '../../src/providers/openai-transcriptions-stt/adapter.ts';
import { createOpenAiTts } from '../../src/providers/openai-tts/adapter.ts';
import { DEFAULT_MODELS, DEFAULT_VOICES } from '../../src/providers/vendor-defaults.ts';
import {
  captureHttp,
  captureSockets,
  type HttpWire,
  plainSockets,
  socketWire,
  until,
} from '../support/captured-wire.ts';
import { startChatEmulator } from '../support/chat-completions-emulator.ts';
import type { ToolStyle } from '../support/chat-completions-script.ts';
import { collect } from '../support/collect.ts';
import { ourHearing } from './own-clients.ts';

const clock = systemClock;
const { fetch } = createGuardedFetch({ allowPrivate: true, clock });
const { signal } = new AbortController();
let sdk: (baseURL: string) => OpenAI;

beforeAll(async () => {
  const { default: Client } = await import('openai');
  sdk = (baseURL) => new Client({ apiKey: 'KEY', baseURL, maxRetries: 0 });
});

const model = (baseUrl: string, quirks = CHAT_QUIRKS.openai) =>
  createOpenAiLlm({
    provider: 'openai',
    model: DEFAULT_MODELS.llm.openai.name,
    baseUrl,
    quirks,
    apiKey: 'KEY',
    fetch,
    clock,
    createId: () => 'call_own',
  });

const PARAMETERS = {
  type: 'object',
  properties: { day: { type: 'string' } },
  required: ['day'],
  additionalProperties: false,
};
const REQUEST: LlmRequest = {
  messages: [
    { role: 'system', content: 'You are the agent of Acme.' },
    { role: 'user', content: 'Book Friday.' },
    {
      role: 'assistant',
      content: 'One moment.',
      toolCalls: [{ id: 'call_1', name: 'book', arguments: '{"day":"Friday"}' }],
    },
    { role: 'tool', toolCallId: 'call_1', content: '{"ok":true}' },
  ],
  tools: [{ name: 'book', description: 'Books a day', parameters: PARAMETERS, strict: true }],
  toolChoice: 'required',
  temperature: 0.4,
  maxTokens: 200,
  cacheKey: 'agent-1',
  responseSchema: { name: 'summary', schema: PARAMETERS },
  signal,
};
/** The same, as the SDK's types want it. */
const THEIR_REQUEST: OpenAI.ChatCompletionCreateParamsStreaming = {
  model: DEFAULT_MODELS.llm.openai.name,
  stream: true,
  stream_options: { include_usage: true, include_obfuscation: false },
  max_completion_tokens: 200,
  temperature: 0.4,
  prompt_cache_key: 'agent-1',
  tools: [
    {
      type: 'function',
      function: { name: 'book', description: 'Books a day', parameters: PARAMETERS, strict: true },
    },
  ],
  parallel_tool_calls: true,
  messages: [
    { role: 'system', content: 'You are the agent of Acme.' },
    { role: 'user', content: 'Book Friday.' },
    {
      role: 'assistant',
      content: 'One moment.',
      tool_calls: [
        {
          id: 'call_1',
          type: 'function',
          function: { name: 'book', arguments: '{"day":"Friday"}' },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '{"ok":true}' },
  ],
  response_format: {
    type: 'json_schema',
    json_schema: { name: 'summary', strict: true, schema: PARAMETERS },
  },
  tool_choice: 'required',
};

const common = ({ method, path, headers }: HttpWire) => ({
  method,
  path,
  authorization: headers.authorization,
  type: String(headers['content-type']).split(';')[0],
});
const json = (wire: HttpWire | undefined): unknown => JSON.parse(String(wire?.body));

describe('chat completions', () => {
  test('a request is the SDK’s, field by field', async () => {
    await using emulator = await startChatEmulator({ apiKey: 'KEY' });
    emulator.script({ deltas: ['Done.'] });
    for await (const _ of await sdk(emulator.baseUrl).chat.completions.create(THEIR_REQUEST));
    await collect(model(emulator.baseUrl).stream(REQUEST));
    const [theirs, ours] = emulator.requests;
    expect(ours?.body).toEqual(theirs?.body);
    expect(ours?.path).toBe(theirs?.path);
    for (const name of ['authorization', 'content-type'])
      expect(ours?.headers[name]).toBe(theirs?.headers[name]);
  });

  // The SDK itself gives up on servers that leave `type` out, which we understand.
  test.each<ToolStyle>(['openai', 'whole'])(
    'text, tool calls (%s), reason and usage of the same answer are read alike',
    async (toolStyle) => {
      await using emulator = await startChatEmulator();
      emulator.script({
        deltas: ['Let me ', 'book “Friday”.'],
        toolCalls: [
          { id: 'call_a', name: 'book', arguments: '{"day":"Friday"}' },
          { id: 'call_b', name: 'tell', arguments: '{}' },
        ],
        toolStyle,
        split: 7,
      });
      const theirs = await sdk(emulator.baseUrl)
        .chat.completions.stream({ ...THEIR_REQUEST, response_format: { type: 'text' } })
        .finalChatCompletion();
      const parts = await collect(
        model(emulator.baseUrl).stream({ messages: REQUEST.messages, signal }),
      );
      const [choice] = theirs.choices;
      expect(summary(parts)).toEqual({
        text: choice?.message.content,
        calls: choice?.message.tool_calls?.map((call) => ({
          id: call.id,
          ...('function' in call
            ? { name: call.function.name, arguments: call.function.arguments }
            : {}),
        })),
        reason: choice?.finish_reason.replace('_', '-'),
        usage: {
          inputTokens: theirs.usage?.prompt_tokens,
          outputTokens: theirs.usage?.completion_tokens,
          cachedTokens: theirs.usage?.prompt_tokens_details?.cached_tokens,
        },
      });
    },
  );

  test.each([
    [401, 'invalid_api_key', 'AuthenticationError', 'auth'],
    [404, 'model_not_found', 'NotFoundError', 'invalid'],
    [429, 'rate_limit_exceeded', 'RateLimitError', 'rate'],
    [500, 'server_error', 'InternalServerError', 'network'],
  ])('status %i (%s) is %s to the SDK and %s to us', async (status, code, theirName, ourClass) => {
    const body = JSON.stringify({ error: { message: 'No.', type: 'x', code, param: null } });
    await using server = await captureHttp({ status, contentType: 'application/json', body });
    const theirs = await sdk(server.url)
      .chat.completions.create(THEIR_REQUEST)
      .catch((error: unknown) => error);
    const { APIError } = await import('openai');
    expect(theirs).toBeInstanceOf(APIError);
    expect((theirs as Error).constructor.name).toBe(theirName);
    await expect(collect(model(server.url).stream(REQUEST))).rejects.toMatchObject({
      class: ourClass,
      code: (theirs as { code: string }).code,
    });
  });
});

function summary(parts: readonly LlmPart[]) {
  const finish = parts.find((part) => part.type === 'finish');
  return {
    text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    calls: parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : [])),
    reason: finish?.reason,
    usage: finish?.usage,
  };
}

test('speech: request and audio are the SDK’s', async () => {
  const pcm = Buffer.alloc(4800, 1);
  await using server = await captureHttp({ contentType: 'audio/pcm', body: pcm });
  const theirs = await sdk(server.url).audio.speech.create({
    model: DEFAULT_MODELS.tts.openai.name,
    voice: DEFAULT_VOICES.openai.name,
    input: 'Hello there.',
    response_format: 'pcm',
    speed: 1.2,
  });
  const theirAudio = Buffer.from(await theirs.arrayBuffer());
  const voice = createOpenAiTts({ apiKey: 'KEY', baseUrl: server.url, fetch, clock });
  const settings = { speed: 1.2 };
  const parts = await collect(
    voice.synthesize({ text: 'Hello there.', settings, sampleRateHz: 24_000, signal }),
  );
  const [their, our] = server.requests.filter(({ method }) => method === 'POST');
  expect(json(our)).toEqual(json(their));
  expect(common(our as HttpWire)).toEqual(common(their as HttpWire));
  const audio = parts.flatMap((part) => (part.type === 'audio' ? [...part.pcm] : []));
  expect(Buffer.from(Int16Array.from(audio).buffer)).toEqual(theirAudio);
});

test('embeddings: request and vectors are the SDK’s', async () => {
  const vectors = [Float32Array.of(0.6, 0.8), Float32Array.of(1, 0)];
  const data = vectors.map((vector, index) => ({
    object: 'embedding',
    index,
    embedding: Buffer.from(vector.buffer).toString('base64'),
  }));
  const body = JSON.stringify({ object: 'list', model: 'm', data, usage: {} });
  await using server = await captureHttp({ contentType: 'application/json', body });
  const theirs = await sdk(server.url).embeddings.create({
    model: DEFAULT_MODELS.embeddings.openai.name,
    input: ['a', 'b'],
  });
  const embedder = createOpenAiEmbedder({ apiKey: 'KEY', baseUrl: server.url, fetch, clock });
  const ours = await embedder.embed(['a', 'b'], signal);
  const [their, our] = server.requests;
  expect(json(our)).toEqual(json(their));
  expect(common(our as HttpWire)).toEqual(common(their as HttpWire));
  expect(ours.map((vector) => [...vector])).toEqual(theirs.data.map(({ embedding }) => embedding));
});

test('transcriptions: form and text are the SDK’s', async () => {
  const body = JSON.stringify({ text: ' Book it for Friday. ', usage: {} });
  await using server = await captureHttp({ contentType: 'application/json', body });
  const stt = createOpenAiTranscriptions({ apiKey: 'KEY', baseUrl: server.url, fetch, clock });
  const heard: string[] = [];
  const stream = await stt.open({
    sampleRateHz: 16_000,
    languages: ['en-US'],
    hints: ['Anna'],
    phrases: [],
    onEvent: (event) => event.type === 'final' && heard.push(event.text),
    signal,
  });
  stream.speechStarted();
  for (let i = 0; i < 50; i++) stream.write(new Int16Array(320).fill(i));
  stream.speechEnded();
  await until('our text', () => heard.length === 1);
  stream.close();
  const ours = await formOf(server.requests[0]);
  const file = ours.find(([name]) => name === 'file')?.[1] as { bytes: Uint8Array<ArrayBuffer> };
  const theirText = await sdk(server.url).audio.transcriptions.create({
    model: DEFAULT_MODELS.stt['openai-transcriptions'].name,
    response_format: 'json',
    language: 'en',
    prompt: 'Names: Anna.',
    file: new File([file.bytes], 'speech.wav', { type: 'audio/wav' }),
  });
  expect(ours).toEqual(await formOf(server.requests[1]));
  expect(common(server.requests[0] as HttpWire)).toEqual(common(server.requests[1] as HttpWire));
  expect(heard).toEqual([theirText.text.trim()]);
});

type FormEntry = [string, string | { name: string; type: string; bytes: Uint8Array<ArrayBuffer> }];

async function formOf(wire: HttpWire | undefined): Promise<FormEntry[]> {
  if (!wire) throw new Error('no request');
  const headers = { 'content-type': String(wire.headers['content-type']) };
  const form = await new Response(new Uint8Array(wire.body), { headers }).formData();
  const entries = await Promise.all(
    [...form].map(async ([name, value]): Promise<FormEntry> => {
      if (typeof value === 'string') return [name, value];
      const bytes = new Uint8Array(await value.arrayBuffer());
      return [name, { name: value.name, type: value.type, bytes }];
    }),
  );
  return entries.toSorted(([a], [b]) => a.localeCompare(b));
}

describe('realtime transcription', () => {
  const UPDATE: RealtimeClientEvent = {
    type: 'session.update',
    session: {
      type: 'transcription',
      audio: {
        input: {
          format: { type: 'audio/pcm', rate: 24_000 },
          transcription: {
            model: DEFAULT_MODELS.stt.openai.name,
            language: 'en',
            prompt: 'Names: Anna, Parley.',
          },
          turn_detection: {
            type: 'server_vad',
            threshold: 0.5,
            prefix_padding_ms: 300,
            silence_duration_ms: 300,
          },
        },
      },
    },
  };
  const AUDIO = Buffer.alloc(2880).toString('base64');

  test('connection, session and audio are those of the SDK, and both hear the same text', async () => {
    const item_id = 'item_1';
    const answers: Readonly<Record<string, readonly object[]>> = {
      'session.update': [{ type: 'session.updated', event_id: 'e2', session: {} }],
      'input_audio_buffer.append': [
        { type: 'input_audio_buffer.speech_started', event_id: 'e3', audio_start_ms: 0, item_id },
        { type: 'input_audio_buffer.speech_stopped', event_id: 'e4', audio_end_ms: 50, item_id },
        { type: 'input_audio_buffer.committed', event_id: 'e5', previous_item_id: null, item_id },
        {
          type: 'conversation.item.input_audio_transcription.completed',
          event_id: 'e6',
          item_id,
          content_index: 0,
          transcript: 'Book it for Friday.',
          usage: { type: 'duration', seconds: 1 },
        },
      ],
    };
    await using server = await captureSockets({
      connected: ({ socket }) =>
        socket.send(JSON.stringify({ type: 'session.created', event_id: 'e1', session: {} })),
      frame: ({ socket }, frame) => {
        for (const answer of answers[(frame as { type: string }).type] ?? [])
          socket.send(JSON.stringify(answer));
      },
    });
    const { OpenAIRealtimeWS } = await import('openai/realtime/ws');
    const theirs = new OpenAIRealtimeWS(
      { intent: 'transcription', options: plainSockets(server.baseUrl) },
      sdk(`${server.baseUrl}/v1`),
    );
    const heard: string[] = [];
    theirs.on('session.created', () => theirs.send(UPDATE));
    theirs.on('session.updated', () =>
      theirs.send({ type: 'input_audio_buffer.append', audio: AUDIO }),
    );
    theirs.on('conversation.item.input_audio_transcription.completed', (event) =>
      heard.push(event.transcript),
    );
    await until('their text', () => heard.length === 1);
    theirs.close();
    const protocol = createOpenAiRealtimeSttProtocol({
      apiKey: 'KEY',
      baseUrl: `${server.baseUrl}/v1`,
    });
    using ours = await ourHearing(protocol, { sampleRateHz: 24_000 });
    ours.stream.speechStarted();
    for (let i = 0; i < 3; i++) ours.stream.write(new Int16Array(480));
    await until('our text', () => ours.events.some((event) => event.type === 'final'));
    expect(socketWire(server.connections[1], ['authorization'])).toEqual(
      socketWire(server.connections[0], ['authorization']),
    );
    const finals = ours.events.flatMap((event) => (event.type === 'final' ? [event.text] : []));
    expect(finals).toEqual(heard);
  });
});
