import { expect, test } from 'vitest';
import { peakDb, rmsDb, SILENCE_DB } from '../../src/audio/level.ts';
import { bytesFromPcm16, pcm16FromBytes } from '../../src/audio/pcm16.ts';
import { createPcm16Assembler } from '../../src/audio/pcm16-assembler.ts';
import fc from '../support/properties.ts';

test('bytes are little-endian samples at any alignment', () => {
  const memory = Uint8Array.of(9, 0x34, 0x12, 0xff, 0xff, 0x00, 0x80, 9);
  expect([...pcm16FromBytes(memory.subarray(1, 7))]).toEqual([0x1234, -1, -32768]);
  expect([...pcm16FromBytes(memory.slice(1, 7))]).toEqual([0x1234, -1, -32768]);
});

test('aligned bytes are a view, samples to bytes always', () => {
  const bytes = new Uint8Array(8);
  const pcm = pcm16FromBytes(bytes.subarray(2));
  pcm[0] = 0x0102;
  expect([...bytes]).toEqual([0, 0, 2, 1, 0, 0, 0, 0]);
  expect([...bytesFromPcm16(pcm)]).toEqual([2, 1, 0, 0, 0, 0]);
});

test('half a sample is refused', () => {
  expect(() => pcm16FromBytes(new Uint8Array(3))).toThrow(/even number of bytes, got 3/);
});

test('the assembler joins bytes cut anywhere', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 20 }), (pieces) => {
      const assembler = createPcm16Assembler();
      const samples = pieces.flatMap((piece) => [...assembler.push(piece)]);
      const bytes = pieces.flatMap((piece) => [...piece]);
      const whole = bytes.slice(0, bytes.length - (bytes.length % 2));
      expect(samples).toEqual([...pcm16FromBytes(Uint8Array.from(whole))]);
      expect(assembler.pendingBytes).toBe(bytes.length % 2);
    }),
  );
});

test('levels: a full-scale square is 0 dB, a sine 3 dB below its peak, nothing is silence', () => {
  const square = Int16Array.from({ length: 160 }, (_, i) => (i % 2 ? -32768 : 32767));
  const sine = Int16Array.from({ length: 160 }, (_, i) => 16384 * Math.sin((i * Math.PI) / 8));
  expect(rmsDb(square)).toBeCloseTo(0, 2);
  expect(peakDb(sine)).toBeCloseTo(-6.02, 1);
  expect(rmsDb(sine)).toBeCloseTo(-9.03, 1);
  for (const nothing of [new Int16Array(0), new Int16Array(160)]) {
    expect(rmsDb(nothing)).toBe(SILENCE_DB);
    expect(peakDb(nothing)).toBe(SILENCE_DB);
  }
});
