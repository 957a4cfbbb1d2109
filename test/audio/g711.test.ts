import { describe, expect, test } from 'vitest';
import { alaw, mulaw } from '../../src/audio/g711.ts';

/**
 * ITU-T G.711, written the way its tables are: 8 segments of 16 steps, each segment's step twice the one
 * before, an upper bound (decision value) and a middle (quantised value) for each. The tested code uses bit
 * arithmetic instead.
 */
function muLawTable(): { upper: number; value: number }[] {
  const steps: { upper: number; value: number }[] = [];
  let lower = 0;
  for (let segment = 0; segment < 8; segment++) {
    for (let i = 0; i < 16; i++) {
      // The first interval of µ-law is half a step: its value is zero.
      const size = segment === 0 && i === 0 ? 1 : 2 << segment;
      const upper = lower + size;
      steps.push({ upper, value: segment === 0 && i === 0 ? 0 : (lower + upper) / 2 });
      lower = upper;
    }
  }
  return steps;
}

function aLawTable(): { upper: number; value: number }[] {
  const steps: { upper: number; value: number }[] = [];
  let lower = 0;
  for (let segment = 0; segment < 8; segment++) {
    for (let i = 0; i < 16; i++) {
      const upper = lower + (2 << Math.max(0, segment - 1));
      steps.push({ upper, value: (lower + upper) / 2 });
      lower = upper;
    }
  }
  return steps;
}

const laws = [
  // The sign of zero and the inverted bits as in the recommendation's tables 1 and 2.
  { name: 'µ-law', law: mulaw, table: muLawTable(), bits: 14, positive: (n: number) => 0xff - n },
  { name: 'A-law', law: alaw, table: aLawTable(), bits: 13, positive: (n: number) => 0xd5 ^ n },
] as const;

describe.each(laws)('$name', ({ law, table, bits, positive }) => {
  const unit = 2 ** (16 - bits);

  test('every code expands to the value of the recommendation', () => {
    for (const [n, { value }] of table.entries()) {
      const codes = Uint8Array.of(positive(n), positive(n) ^ 0x80);
      // A negative zero is a zero.
      expect([...law.decode(codes)].map((v) => v + 0)).toEqual([value * unit, -value * unit + 0]);
    }
  });

  test('every sample is compressed to the interval it lies in', () => {
    const samples = Int16Array.from({ length: 65536 }, (_, i) => i - 32768);
    const codes = law.encode(samples);
    for (let i = 0; i < samples.length; i++) {
      const sample = samples[i] as number;
      const magnitude = sample < 0 ? -1 - sample : sample;
      const found = table.findIndex(({ upper }) => magnitude < upper * unit);
      const n = found < 0 ? 127 : found;
      const expected = sample < 0 ? positive(n) ^ 0x80 : positive(n);
      if (codes[i] !== expected) expect([sample, codes[i]]).toEqual([sample, expected]);
    }
  });

  test('encoding a decoded code gives it back, save for a negative zero', () => {
    const codes = Uint8Array.from({ length: 256 }, (_, i) => i);
    const again = law.encode(law.decode(codes));
    const differing = [...codes].filter((code, i) => code !== again[i]);
    expect(differing).toEqual(law === mulaw ? [0x7f] : []);
  });

  test('silence decodes to the quietest value', () => {
    const [value] = law.decode(Uint8Array.of(law.silence));
    expect(Math.abs(value as number)).toBeLessThanOrEqual(8);
  });

  test('given arrays are filled and returned', () => {
    const pcm = new Int16Array(3);
    const codes = new Uint8Array(3);
    expect(law.decode(Uint8Array.of(1, 2, 3), pcm)).toBe(pcm);
    expect(law.encode(pcm, codes)).toBe(codes);
    expect([...codes]).toEqual([1, 2, 3]);
  });
});

test('well-known bytes', () => {
  expect([...mulaw.decode(Uint8Array.of(0x00, 0x80, 0xff))]).toEqual([-32124, 32124, 0]);
  expect([...alaw.decode(Uint8Array.of(0x2a, 0xaa, 0xd5))]).toEqual([-32256, 32256, 8]);
  expect([...mulaw.encode(Int16Array.of(0, 32767, -32768))]).toEqual([0xff, 0x80, 0x00]);
});
