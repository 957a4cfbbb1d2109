import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import {
  parseRtviFrame,
  parseRtviMessage,
  serializeRtviAudio,
  serializeRtviMessage,
} from '../../src/gateway/rtvi-protocol.ts';
import { runs, testSeed } from '../support/effort.ts';
import fc from '../support/properties.ts';

interface Serializer {
  serializeAudio(audio: ArrayBuffer, sampleRateHz: number, channels: number): Uint8Array;
  serializeMessage(message: object): Uint8Array;
  deserialize(data: Blob): Promise<unknown>;
}

// Its own types would bring those of the browser into all that is checked.
const require = createRequire(import.meta.url);
const { ProtobufFrameSerializer } = require('@pipecat-ai/websocket-transport') as {
  readonly ProtobufFrameSerializer: new () => Serializer;
};
const official = new ProtobufFrameSerializer();
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));

/** What version 1.7.1 of the official transport wrote. */
const WIRE = {
  audio: '12141205617564696f1a060100feff2c0120807d2801',
  ready:
    '224f0a4d7b226964223a2261222c226c6162656c223a22727476692d6169222c2274797065223a22636c69656e742d7265616479222c2264617461223a7b2276657273696f6e223a22322e312e30227d7d',
} as const;
const READY = { id: 'a', label: 'rtvi-ai', type: 'client-ready', data: { version: '2.1.0' } };

describe('the frames of Pipecat', () => {
  test('what its transport wrote is read', () => {
    expect(parseRtviFrame(bytes(WIRE.audio))).toEqual({
      type: 'audio',
      audio: new Uint8Array([1, 0, 0xfe, 0xff, 0x2c, 1]),
      sampleRateHz: 16_000,
      channels: 1,
    });
    const frame = parseRtviFrame(bytes(WIRE.ready));
    if (frame?.type !== 'message') throw new Error('no message');
    expect(parseRtviMessage(frame.json)).toEqual({
      id: 'a',
      type: 'client-ready',
      data: { version: '2.1.0' },
    });
  });

  test('the transport still writes it so', () => {
    const audio = new Int16Array([1, -2, 300]).buffer;
    expect(hex(official.serializeAudio(audio, 16_000, 1))).toBe(WIRE.audio);
    expect(hex(official.serializeMessage(READY))).toBe(WIRE.ready);
  });

  test('the transport reads what is written', async () => {
    const samples = new Int16Array(4000).map((_, index) => index * 7);
    const audio = serializeRtviAudio(new Uint8Array(samples.buffer), 24_000);
    expect(await official.deserialize(new Blob([Buffer.from(audio)]))).toEqual({
      type: 'audio',
      audio: samples,
    });
    const message = { id: '7', type: 'bot-transcription', data: { text: 'Où ça? '.repeat(99) } };
    const written = serializeRtviMessage(message);
    expect(await official.deserialize(new Blob([Buffer.from(written)]))).toEqual({
      type: 'message',
      message: { label: 'rtvi-ai', ...message },
    });
  });

  test('frames of another kind are known as such, and unknown fields passed over', () => {
    // A text frame; an audio frame with `pts` and a field of the future.
    expect(parseRtviFrame(bytes('0a031a0141'))).toEqual({ type: 'other' });
    expect(parseRtviFrame(bytes('120f1a02010020c0bb01280130057a01ff'))).toMatchObject({
      type: 'audio',
      audio: new Uint8Array([1, 0]),
      sampleRateHz: 24_000,
    });
  });

  test.each([
    ['nothing', ''],
    ['a cut frame', WIRE.audio.slice(0, -2)],
    ['a length beyond the end', '12ff7f'],
    ['a number that never ends', '08ffffffffffffffffffffff'],
    ['a field without a number', '0000'],
    ['a group', '13'],
    ['broken audio within', '120308ffff'],
    ['more fields than a frame has', '0801'.repeat(33)],
  ])('%s is no frame', (_, wire) => {
    expect(parseRtviFrame(bytes(wire))).toBeUndefined();
  });

  test('any bytes are read or refused, never thrown at', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(21), (noise, at) => {
        const broken = bytes(WIRE.audio);
        broken.set(noise.subarray(0, broken.length - at), at);
        for (const wire of [noise, broken]) {
          const frame = parseRtviFrame(wire);
          if (frame?.type === 'audio') expect(frame.audio.length).toBeLessThanOrEqual(wire.length);
          if (frame?.type === 'message') parseRtviMessage(frame.json);
        }
      }),
      { numRuns: runs({ usual: 500, long: 20_000 }), seed: testSeed(71) },
    );
  });

  test.each([
    '',
    'x',
    'null',
    '[]',
    '{"label":"other","id":"1","type":"x"}',
    '{"label":"rtvi-ai"}',
  ])('%j is no message of the standard', (json) => {
    expect(parseRtviMessage(json)).toBeUndefined();
  });
});
