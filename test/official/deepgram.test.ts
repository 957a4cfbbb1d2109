import type { DeepgramClient } from '@deepgram/sdk';
import { beforeAll, describe, expect, test } from 'vitest';
import { createDeepgramFluxProtocol } from '../../src/providers/deepgram-flux-stt/protocol.ts';
import { createDeepgramSttProtocol } from '../../src/providers/deepgram-stt/protocol.ts';
import { createDeepgramTtsProtocol } from '../../src/providers/deepgram-tts/protocol.ts';
import { captureSockets, socketWire, until } from '../support/captured-wire.ts';
import type { EmulatedConnection } from '../support/vendor-socket-emulator.ts';
import { ourHearing, ourSpeech } from './own-clients.ts';

const AUDIO = new Int16Array(1600);
let client: (baseUrl: string) => DeepgramClient;

beforeAll(async () => {
  const sdk = await import('@deepgram/sdk');
  client = (baseUrl) => {
    const base = baseUrl.replace('http', 'ws');
    const environment = { base, production: base, agent: base, agentRest: base };
    return new sdk.DeepgramClient({ apiKey: 'KEY', environment });
  };
});

const told = (connection: EmulatedConnection | undefined, type: string): boolean =>
  connection?.received.some((frame) => (frame as { type?: string }).type === type) === true;

const wire = (connection: EmulatedConnection | undefined) =>
  socketWire(connection, ['authorization']);

describe('listen v1', () => {
  test('connection, audio and requests are those of the SDK', async () => {
    await using server = await captureSockets();
    const theirs = await client(server.baseUrl).listen.v1.connect({
      model: 'nova-3',
      language: 'en-US',
      encoding: 'linear16',
      sample_rate: 16_000,
      channels: 1,
      interim_results: 'true',
      smart_format: 'true',
      endpointing: 300,
      keyterm: ['Anna', 'Parley'],
      Authorization: 'Token KEY',
      reconnectAttempts: 0,
    });
    theirs.connect();
    await theirs.waitForOpen();
    theirs.sendMedia(AUDIO);
    theirs.sendFinalize({ type: 'Finalize' });
    theirs.sendCloseStream({ type: 'CloseStream' });
    const protocol = createDeepgramSttProtocol({ apiKey: 'KEY', baseUrl: server.baseUrl });
    using ours = await ourHearing(protocol);
    ours.stream.speechStarted();
    ours.stream.write(AUDIO);
    ours.stream.speechEnded();
    await until('our flush', () => told(server.connections[1], 'Finalize'));
    ours.stream.close();
    await until('both farewells', () => server.connections.every((it) => told(it, 'CloseStream')));
    theirs.close();
    expect(wire(server.connections[1])).toEqual(wire(server.connections[0]));
  });

  test('keep-alive is the SDK’s', async () => {
    await using server = await captureSockets();
    const theirs = await client(server.baseUrl).listen.v1.connect({
      model: 'nova-3',
      Authorization: 'Token KEY',
      reconnectAttempts: 0,
    });
    theirs.connect();
    await theirs.waitForOpen();
    theirs.sendKeepAlive({ type: 'KeepAlive' });
    await until('their keep-alive', () => told(server.connections[0], 'KeepAlive'));
    theirs.close();
    const setup = { languages: ['en'], hints: [], sampleRateHz: 16_000 };
    const { keepAlive } = createDeepgramSttProtocol({ apiKey: 'KEY' }).dialogue(setup);
    expect(JSON.parse(keepAlive ?? '')).toEqual(server.connections[0]?.received[0]);
  });

  test('both understand the same answers alike', async () => {
    const result = (transcript: string, start: number, duration: number, is_final: boolean) => ({
      type: 'Results',
      channel_index: [0, 1],
      start,
      duration,
      is_final,
      speech_final: is_final,
      from_finalize: false,
      channel: {
        alternatives: [
          {
            transcript,
            confidence: 0.98,
            words: transcript.split(' ').map((word, i) => ({
              word,
              start: start + i * 0.2,
              end: start + i * 0.2 + 0.15,
              confidence: 0.98,
              punctuated_word: word,
            })),
          },
        ],
      },
      metadata: { request_id: 'r', model_uuid: 'm', model_info: {} },
    });
    const answered = new Set<unknown>();
    await using server = await captureSockets({
      frame: ({ socket }, _frame, isBinary) => {
        if (!isBinary || answered.has(socket)) return;
        answered.add(socket);
        socket.send(JSON.stringify(result('Book it', 0.1, 0.5, false)));
        socket.send(JSON.stringify(result('Book it for Friday.', 0.1, 1.2, true)));
        socket.send(JSON.stringify({ type: 'UtteranceEnd', channel: [0, 1], last_word_end: 1.1 }));
      },
    });
    const theirs = await client(server.baseUrl).listen.v1.connect({
      model: 'nova-3',
      Authorization: 'Token KEY',
      reconnectAttempts: 0,
    });
    const heard: { type: string; text: string; startMs: number; endMs: number }[] = [];
    theirs.on('message', (message) => {
      if (message.type !== 'Results') return;
      const [best] = message.channel.alternatives;
      const words = best?.words ?? [];
      heard.push({
        type: message.is_final ? 'final' : 'interim',
        text: best?.transcript ?? '',
        startMs: Math.round((words[0]?.start ?? 0) * 1000),
        endMs: Math.round((words.at(-1)?.end ?? 0) * 1000),
      });
    });
    theirs.connect();
    await theirs.waitForOpen();
    theirs.sendMedia(AUDIO);
    const protocol = createDeepgramSttProtocol({ apiKey: 'KEY', baseUrl: server.baseUrl });
    using ours = await ourHearing(protocol);
    for (let i = 0; i < 75; i++) ours.stream.write(new Int16Array(320));
    await until('all heard', () => heard.length === 2 && ours.events.length === 2);
    theirs.close();
    expect(
      ours.events.map((event) => {
        if (event.type !== 'interim' && event.type !== 'final') return event;
        const { type, text, startMs, endMs } = event;
        return { type, text, startMs: Math.round(startMs), endMs: Math.round(endMs) };
      }),
    ).toEqual(heard);
  });
});

describe('listen v2 (Flux)', () => {
  const connected = ({ socket }: EmulatedConnection) =>
    socket.send(JSON.stringify({ type: 'Connected', request_id: 'r', sequence_id: 0 }));

  test('connection, audio and farewell are those of the SDK', async () => {
    await using server = await captureSockets({ connected });
    const theirs = await client(server.baseUrl).listen.v2.connect({
      model: 'flux-general-multi',
      encoding: 'linear16',
      sample_rate: 16_000,
      eot_threshold: 0.7,
      eager_eot_threshold: 0.5,
      language_hint: ['en', 'fr'],
      keyterm: ['Anna', 'Parley'],
      Authorization: 'Token KEY',
      reconnectAttempts: 0,
    });
    theirs.connect();
    await theirs.waitForOpen();
    theirs.sendMedia(new Int16Array(1280));
    theirs.sendCloseStream({ type: 'CloseStream' });
    const protocol = createDeepgramFluxProtocol({ apiKey: 'KEY', baseUrl: server.baseUrl });
    using ours = await ourHearing(protocol, { languages: ['en-US', 'fr-FR'] });
    ours.stream.write(new Int16Array(1280));
    await until('our audio', () => server.connections[1]?.received.length === 1);
    ours.stream.close();
    await until('both farewells', () => server.connections.every((it) => told(it, 'CloseStream')));
    theirs.close();
    expect(wire(server.connections[1])).toEqual(wire(server.connections[0]));
  });

  test('both understand the same turns alike', async () => {
    const turn = (event: string, sequence_id: number, transcript: string, confidence: number) => ({
      type: 'TurnInfo',
      request_id: 'r',
      sequence_id,
      event,
      turn_index: 0,
      audio_window_start: 0,
      audio_window_end: 1.6,
      transcript,
      words: transcript.split(' ').map((word) => ({ word, confidence: 0.9 })),
      end_of_turn_confidence: confidence,
    });
    await using server = await captureSockets({
      connected,
      frame: ({ socket }, _frame, isBinary) => {
        if (!isBinary) return;
        socket.send(JSON.stringify(turn('StartOfTurn', 1, 'I need', 0.1)));
        socket.send(JSON.stringify(turn('EagerEndOfTurn', 2, 'I need a refund', 0.55)));
        socket.send(JSON.stringify(turn('EndOfTurn', 3, 'I need a refund', 0.8)));
      },
    });
    const theirs = await client(server.baseUrl).listen.v2.connect({
      model: 'flux-general-en',
      Authorization: 'Token KEY',
      reconnectAttempts: 0,
    });
    const texts: string[] = [];
    const ends: [number, boolean][] = [];
    theirs.on('message', (message) => {
      if (message.type !== 'TurnInfo') return;
      texts.push(message.transcript);
      if (message.event === 'EagerEndOfTurn' || message.event === 'EndOfTurn')
        ends.push([message.end_of_turn_confidence, message.event === 'EagerEndOfTurn']);
    });
    theirs.connect();
    await theirs.waitForOpen();
    theirs.sendMedia(new Int16Array(1280));
    const protocol = createDeepgramFluxProtocol({ apiKey: 'KEY', baseUrl: server.baseUrl });
    using ours = await ourHearing(protocol);
    ours.stream.write(new Int16Array(1280));
    const ourEnds = () => ours.events.filter((event) => event.type === 'eot');
    await until('both ends', () => ends.length === 2 && ourEnds().length === 2);
    theirs.close();
    expect(ours.events.flatMap((event) => ('text' in event ? [event.text] : []))).toEqual(texts);
    expect(ourEnds().map(({ probability, eager }) => [probability, eager])).toEqual(ends);
  });
});

describe('speak v1', () => {
  const speak = ({ socket }: EmulatedConnection, frame: unknown) => {
    if ((frame as { type?: string }).type !== 'Flush') return;
    socket.send(JSON.stringify({ type: 'Metadata', request_id: 'r', model_name: 'aura-2' }));
    socket.send(Buffer.alloc(640, 1));
    socket.send(JSON.stringify({ type: 'Flushed', sequence_id: 0 }));
  };

  test('connection and messages are those of the SDK, and both get the same audio', async () => {
    await using server = await captureSockets({ frame: speak });
    const theirs = await client(server.baseUrl).speak.v1.connect({
      model: 'aura-2-thalia-en',
      encoding: 'linear16',
      sample_rate: '16000',
      speed: 1.1,
      Authorization: 'Token KEY',
      reconnectAttempts: 0,
    });
    let audioBytes = 0;
    let flushed = false;
    theirs.on('message', (message) => {
      const data: unknown = message;
      if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) audioBytes += data.byteLength;
      else if (data instanceof Blob) audioBytes += data.size;
      else if (typeof message !== 'string' && message.type === 'Flushed') flushed = true;
    });
    theirs.connect();
    await theirs.waitForOpen();
    theirs.sendText({ type: 'Speak', text: 'Hello there.' });
    theirs.sendFlush({ type: 'Flush' });
    await until('their audio', () => flushed);
    theirs.close();
    const protocol = createDeepgramTtsProtocol({ apiKey: 'KEY', baseUrl: server.baseUrl });
    const parts = await ourSpeech(protocol, { text: 'Hello there.', settings: { speed: 1.1 } });
    expect(wire(server.connections[1])).toEqual(wire(server.connections[0]));
    const samples = parts.reduce(
      (sum, part) => sum + (part.type === 'audio' ? part.pcm.length : 0),
      0,
    );
    expect(samples * 2).toBe(audioBytes);
  });

  test('an interruption is the SDK’s Clear', async () => {
    await using server = await captureSockets();
    const theirs = await client(server.baseUrl).speak.v1.connect({
      Authorization: 'Token KEY',
      reconnectAttempts: 0,
    });
    theirs.connect();
    await theirs.waitForOpen();
    theirs.sendClear({ type: 'Clear' });
    await until('their Clear', () => told(server.connections[0], 'Clear'));
    theirs.close();
    const [ours] = createDeepgramTtsProtocol({ apiKey: 'KEY' }).cancel('ctx');
    expect(JSON.parse(ours ?? '')).toEqual(server.connections[0]?.received[0]);
  });
});
