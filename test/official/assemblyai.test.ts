import type { AssemblyAI, StreamingTranscriber } from 'assemblyai';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAssemblyAiProtocol } from '../../src/providers/assemblyai-stt/protocol.ts';
import { captureSockets, socketWire, until } from '../support/captured-wire.ts';
import type {
  EmulatedConnection,
  VendorSocketEmulator,
} from '../support/vendor-socket-emulator.ts';
import { ourHearing } from './own-clients.ts';

let sdk: AssemblyAI;
beforeAll(async () => {
  const { AssemblyAI: Client } = await import('assemblyai');
  sdk = new Client({ apiKey: 'KEY' });
});

type Settings = Omit<Parameters<AssemblyAI['streaming']['transcriber']>[0], 'websocketBaseUrl'>;

/** The SDK builds its own address, which has to be secure: only its scheme and host are exchanged. */
function transcriber(server: VendorSocketEmulator, settings: Settings): StreamingTranscriber {
  const client = sdk.streaming.transcriber(settings);
  const secure = client as unknown as { connectionUrl(): URL };
  const original = secure.connectionUrl.bind(secure);
  secure.connectionUrl = () => {
    const url = original();
    return new URL(`${server.baseUrl.replace('http', 'ws')}${url.pathname}${url.search}`);
  };
  return client;
}

const begin = ({ socket }: EmulatedConnection): void =>
  socket.send(JSON.stringify({ type: 'Begin', id: 's', expires_at: 1_790_000_000 }));
const told = (connection: EmulatedConnection | undefined, type: string): boolean =>
  connection?.received.some((frame) => (frame as { type?: string }).type === type) === true;
const wire = (connection: EmulatedConnection | undefined) =>
  socketWire(connection, ['authorization']);
const frames = (ms: number): Int16Array[] => Array(ms / 20).fill(new Int16Array(320));

describe('AssemblyAI', () => {
  test('connection, audio and requests are those of the SDK', async () => {
    await using server = await captureSockets({ connected: begin });
    const theirs = transcriber(server, {
      sampleRate: 16_000,
      encoding: 'pcm_s16le',
      speechModel: 'universal-3-5-pro',
      languageCodes: ['en'],
      keytermsPrompt: ['Anna', 'Parley'],
    });
    await theirs.connect();
    theirs.sendAudio(new Int16Array(960).buffer);
    theirs.forceEndpoint();
    const protocol = createAssemblyAiProtocol({ apiKey: 'KEY', baseUrl: server.baseUrl });
    using ours = await ourHearing(protocol);
    ours.stream.speechStarted();
    for (const frame of frames(60)) ours.stream.write(frame);
    ours.stream.speechEnded();
    await until('our flush', () => told(server.connections[1], 'ForceEndpoint'));
    ours.stream.close();
    await theirs.close(false);
    await until('both farewells', () => server.connections.every((it) => told(it, 'Terminate')));
    expect(wire(server.connections[1])).toEqual(wire(server.connections[0]));
  });

  test('a language outside of the pro model’s is asked for as the SDK does', async () => {
    await using server = await captureSockets({ connected: begin });
    const theirs = transcriber(server, {
      sampleRate: 16_000,
      encoding: 'pcm_s16le',
      speechModel: 'whisper-rt',
      formatTurns: true,
    });
    await theirs.connect();
    const protocol = createAssemblyAiProtocol({ apiKey: 'KEY', baseUrl: server.baseUrl });
    using ours = await ourHearing(protocol, { languages: ['pl-PL'], hints: [] });
    await theirs.close(false);
    ours.stream.close();
    const [first, second] = server.connections;
    expect(wire(second).query).toEqual(wire(first).query);
  });

  test('keep-alive is the SDK’s', async () => {
    await using server = await captureSockets({ connected: begin });
    const theirs = transcriber(server, { sampleRate: 16_000 });
    await theirs.connect();
    theirs.keepAlive();
    await until('their keep-alive', () => told(server.connections[0], 'KeepAlive'));
    await theirs.close(false);
    const setup = { languages: ['en'], hints: [], sampleRateHz: 16_000 };
    const { keepAlive } = createAssemblyAiProtocol({ apiKey: 'KEY' }).dialogue(setup);
    expect(JSON.parse(keepAlive ?? '')).toEqual(server.connections[0]?.received[0]);
  });

  test('both understand the same turn alike', async () => {
    const turn = (transcript: string, ended: boolean) => ({
      type: 'Turn',
      turn_order: 0,
      turn_is_formatted: ended,
      end_of_turn: ended,
      transcript,
      end_of_turn_confidence: ended ? 0.9 : 0.1,
      words: transcript.split(' ').map((text, i) => ({
        text,
        start: 20 + i * 100,
        end: 100 + i * 100,
        confidence: 0.9,
        word_is_final: ended,
      })),
    });
    const answered = new Set<unknown>();
    await using server = await captureSockets({
      connected: begin,
      frame: ({ socket }, _frame, isBinary) => {
        if (!isBinary || answered.has(socket)) return;
        answered.add(socket);
        socket.send(JSON.stringify(turn('Book it', false)));
        socket.send(JSON.stringify(turn('Book it for Friday.', true)));
      },
    });
    const heard: { type: string; text: string; startMs?: number; endMs?: number }[] = [];
    const theirs = transcriber(server, { sampleRate: 16_000 });
    theirs.on('turn', ({ end_of_turn, transcript, words }) =>
      heard.push({
        type: end_of_turn ? 'final' : 'interim',
        text: transcript,
        startMs: words[0]?.start ?? -1,
        endMs: words.at(-1)?.end ?? -1,
      }),
    );
    await theirs.connect();
    theirs.sendAudio(new Int16Array(960).buffer);
    const protocol = createAssemblyAiProtocol({ apiKey: 'KEY', baseUrl: server.baseUrl });
    using ours = await ourHearing(protocol);
    for (const frame of frames(600)) ours.stream.write(frame);
    await until('all heard', () => heard.length === 2 && ours.events.length === 2);
    await theirs.close(false);
    expect(ours.events).toMatchObject(heard);
  });

  test('each way of closing is as final to us as to the SDK', async () => {
    const { closeClasses = {} } = createAssemblyAiProtocol({ apiKey: 'KEY' });
    const passing = new Set(['network', 'rate', 'timeout']);
    for (const code of [3005, 3008, 3009, 4001, 4002, 4003, 4029, 4101, 4102]) {
      await using server = await captureSockets({
        connected: ({ socket }) => socket.close(code, 'no'),
      });
      const theirs = transcriber(server, { sampleRate: 16_000, maxConnectionRetries: 0 });
      const error = await theirs.connect().catch((reason: unknown) => reason);
      const retryable = (error as { retryable?: boolean }).retryable;
      expect([code, passing.has(closeClasses[code] ?? '')]).toEqual([code, retryable]);
    }
  });
});
