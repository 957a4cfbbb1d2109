import { createRequire } from 'node:module';
import { beforeAll, describe, expect, test } from 'vitest';
import { createCartesiaProtocol } from '../../src/providers/cartesia-tts/protocol.ts';
import { DEFAULT_MODELS, DEFAULT_VOICES } from '../../src/providers/vendor-defaults.ts';
import { captureSockets, plainSockets, socketWire, until } from '../support/captured-wire.ts';
import type { EmulatedConnection } from '../support/vendor-socket-emulator.ts';
import { ourSpeech } from './own-clients.ts';

const REQUEST = {
  model_id: DEFAULT_MODELS.tts.cartesia.name,
  voice: { id: DEFAULT_VOICES.cartesia.name },
  language: 'en',
  transcript: 'Hello there.',
  continue: false,
  output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: 16_000 },
  add_timestamps: true,
  use_normalized_timestamps: false,
  max_buffer_delay_ms: 0,
  generation_config: { speed: 1.2 },
} as const;

type Frame = { context_id: string; cancel?: boolean };

type Sdk = typeof import('@cartesia/cartesia-js');
type Socket = Awaited<ReturnType<InstanceType<Sdk['default']>['tts']['websocket']>>;

let open: (baseURL: string) => Promise<Socket>;
beforeAll(() => {
  // Its ES module does not find `ws`, and takes itself to be in a browser.
  const { default: Cartesia } = createRequire(import.meta.url)('@cartesia/cartesia-js') as Sdk;
  open = async (baseURL) => {
    const client = new Cartesia({ apiKey: 'KEY', baseURL });
    return (await client.tts.websocket(plainSockets(baseURL))).connect() as Promise<Socket>;
  };
});

function answer({ socket }: EmulatedConnection, frame: unknown): void {
  const { context_id, cancel } = frame as Frame;
  const send = (message: object) => socket.send(JSON.stringify({ context_id, ...message }));
  if (cancel) return;
  send({
    type: 'timestamps',
    done: false,
    status_code: 206,
    word_timestamps: { words: ['Hello', 'there.'], start: [0, 0.3], end: [0.25, 0.6] },
  });
  const data = Buffer.alloc(640, 1).toString('base64');
  send({ type: 'chunk', data, done: false, status_code: 206, step_time: 10 });
  send({ type: 'done', done: true, status_code: 200 });
}

describe('Cartesia', () => {
  test('connection and request are those of the SDK, and both get the same speech', async () => {
    await using server = await captureSockets({ frame: answer });
    const theirs = await open(server.baseUrl);
    let audioBytes = 0;
    const words: { word: string; startMs: number; endMs: number }[] = [];
    for await (const event of theirs.generate({ ...REQUEST, context_id: 'ctx_1' })) {
      if (event.type === 'chunk') audioBytes += Buffer.from(event.data, 'base64').length;
      if (event.type !== 'timestamps') continue;
      const { words: texts = [], start = [], end = [] } = event.word_timestamps ?? {};
      for (const [i, word] of texts.entries())
        words.push({ word, startMs: (start[i] ?? 0) * 1000, endMs: (end[i] ?? 0) * 1000 });
    }
    theirs.close();
    const protocol = createCartesiaProtocol({ apiKey: 'KEY', baseUrl: server.baseUrl });
    const parts = await ourSpeech(protocol, { text: 'Hello there.', settings: { speed: 1.2 } });
    const headers = ['authorization', 'cartesia-version', 'x-api-key'];
    expect(socketWire(server.connections[1], headers)).toEqual(
      socketWire(server.connections[0], headers),
    );
    expect(parts.flatMap((part) => (part.type === 'words' ? part.words : []))).toEqual(words);
    const samples = parts.reduce((n, part) => n + (part.type === 'audio' ? part.pcm.length : 0), 0);
    expect(samples * 2).toBe(audioBytes);
  });

  test('an interruption is the SDK’s cancel', async () => {
    await using server = await captureSockets();
    const theirs = await open(server.baseUrl);
    await theirs.cancelContext('ctx_1');
    await until('their cancel', () => server.connections[0]?.received.length === 1);
    theirs.close();
    const [ours] = createCartesiaProtocol({ apiKey: 'KEY' }).cancel('ctx_1');
    expect(JSON.parse(ours ?? '')).toEqual(server.connections[0]?.received[0]);
  });

  test('a structured error is told with its code, like the SDK tells its message', async () => {
    const error = {
      type: 'error',
      done: true,
      status_code: 429,
      error_code: 'concurrency_limited',
      title: 'Too many concurrent requests',
      message: 'You have exceeded your concurrency limit.',
      request_id: 'r-1',
    };
    await using server = await captureSockets({
      frame: ({ socket }, frame) => {
        const { context_id } = frame as Frame;
        socket.send(JSON.stringify({ ...error, context_id }));
      },
    });
    const theirs = await open(server.baseUrl);
    const told: unknown[] = [];
    theirs.on('error', (reason) => told.push(reason.error));
    const drain = async () => {
      for await (const _ of theirs.generate({ ...REQUEST, context_id: 'ctx_1' }));
    };
    await expect(drain()).rejects.toThrow('concurrency_limited');
    theirs.close();
    expect(told).toEqual([{ ...error, context_id: 'ctx_1' }]);
    const protocol = createCartesiaProtocol({ apiKey: 'KEY', baseUrl: server.baseUrl });
    await expect(ourSpeech(protocol, { text: 'Hello there.' })).rejects.toMatchObject({
      class: 'rate',
      code: 'concurrency_limited',
      message: expect.stringContaining(error.message),
    });
  });
});
