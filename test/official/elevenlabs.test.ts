import { describe, expect, test } from 'vitest';
import { createElevenLabsProtocol } from '../../src/providers/elevenlabs-tts/protocol.ts';
import { captureSockets, socketWire } from '../support/captured-wire.ts';
import type { EmulatedConnection } from '../support/vendor-socket-emulator.ts';
import { ourSpeech } from './own-clients.ts';

// The SDK has the messages of the multi-context socket and no client for it. Its root takes seconds to load.
const MESSAGES = '@elevenlabs/elevenlabs-js/serialization/types';
interface Schema {
  jsonOrThrow(parsed: unknown, options: object): unknown;
  parseOrThrow(raw: unknown, options: object): unknown;
}
const STRICT = { unrecognizedObjectKeys: 'fail' };

async function schema(name: string): Promise<Schema> {
  const module = (await import(`${MESSAGES}/${name}.js`)) as Record<string, Schema>;
  return module[name] as Schema;
}

const chars = [...'Hello there. '];
const alignment = {
  chars,
  charStartTimesMs: chars.map((_, i) => i * 50),
  charDurationsMs: chars.map(() => 50),
};

function answer({ socket }: EmulatedConnection, frame: unknown): void {
  const { context_id, flush } = frame as { context_id: string; flush?: boolean };
  if (!flush) return;
  const audio = Buffer.alloc(32_000, 1).toString('base64');
  socket.send(JSON.stringify({ audio, alignment, contextId: context_id }));
  socket.send(JSON.stringify({ isFinal: true, contextId: context_id }));
}

describe('ElevenLabs', () => {
  test('messages are what the SDK writes for the same utterance', async () => {
    await using server = await captureSockets({ frame: answer });
    const protocol = createElevenLabsProtocol({ apiKey: 'KEY', baseUrl: server.baseUrl });
    const settings = { stability: 0.4, similarityBoost: 0.6, styleExaggeration: 0.1, speed: 1.1 };
    await ourSpeech(protocol, { text: 'Hello there.', settings });
    const contextId = 'ctx_1';
    const write = async (name: string, message: object) =>
      (await schema(name)).jsonOrThrow(message, STRICT);
    const wire = socketWire(server.connections[0], ['xi-api-key']);
    expect(wire.frames).toEqual([
      await write('InitializeConnectionMulti', {
        text: ' ',
        contextId,
        voiceSettings: {
          stability: 0.4,
          similarityBoost: 0.6,
          style: 0.1,
          useSpeakerBoost: true,
          speed: 1.1,
        },
      }),
      await write('SendTextMulti', { text: 'Hello there. ', contextId, flush: true }),
      await write('CloseContext', { contextId, closeContext: true }),
    ]);
    expect(wire.headers).toEqual({ 'xi-api-key': 'KEY' });
  });

  test('an interruption is the SDK’s CloseContext', async () => {
    const [ours] = createElevenLabsProtocol({ apiKey: 'KEY' }).cancel('ctx_1');
    const message = { contextId: 'ctx_1', closeContext: true };
    expect(JSON.parse(ours ?? '')).toEqual(
      (await schema('CloseContext')).jsonOrThrow(message, STRICT),
    );
  });

  test('both understand the same audio and its times alike', async () => {
    const output = { audio: 'AQEBAQ==', alignment, contextId: 'ctx_1' };
    const theirs = (await schema('AudioOutputMulti')).parseOrThrow(output, STRICT) as {
      audio: string;
      alignment: typeof alignment;
    };
    const protocol = createElevenLabsProtocol({ apiKey: 'KEY' });
    const [ours] = protocol.parse(JSON.stringify(output));
    expect(ours).toMatchObject({
      type: 'audio',
      contextId: 'ctx_1',
      bytes: Buffer.from(theirs.audio, 'base64'),
      timings: theirs.alignment.chars.map((text, i) => ({
        text,
        startMs: theirs.alignment.charStartTimesMs[i],
        endMs: (theirs.alignment.charStartTimesMs[i] ?? 0) + 50,
      })),
    });
    const final = { isFinal: true, contextId: 'ctx_1' };
    expect((await schema('FinalOutputMulti')).parseOrThrow(final, STRICT)).toEqual(final);
    expect(protocol.parse(JSON.stringify(final))).toEqual([
      { type: 'end', contextId: 'ctx_1', cancelled: false },
    ]);
  });
});
