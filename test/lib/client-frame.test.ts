import { describe, expect, test } from 'vitest';
import { binaryClientFrame, freshMask } from '../../src/lib/client-frame.ts';

/** Decodes a frame byte by byte as described in RFC 6455. */
function received(frame: Buffer): Buffer {
  const [first, second = 0] = frame;
  expect(first).toBe(0x82);
  expect(second & 0x80).toBe(0x80);
  const short = second & 0x7f;
  const at = short < 126 ? 2 : short === 126 ? 4 : 10;
  const length =
    short < 126 ? short : short === 126 ? frame.readUInt16BE(2) : Number(frame.readBigUInt64BE(2));
  const mask = frame.subarray(at, at + 4);
  const payload = frame.subarray(at + 4);
  expect(payload).toHaveLength(length);
  return Buffer.from(payload.map((byte, n) => byte ^ (mask[n % 4] as number)));
}

const bytes = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 31 + 7) & 0xff);

describe('a binary message of a client', () => {
  test.each([0, 1, 3, 4, 125, 126, 127, 3200, 6401, 65_535, 65_536, 70_003])(
    'of %i bytes reaches a server whole',
    (length) => {
      const data = received(binaryClientFrame(bytes(length), 0xa1b2c3d4));
      expect(data.equals(bytes(length))).toBe(true);
    },
  );

  test('is made of a part of other memory, which stays as it is', () => {
    const whole = bytes(1000);
    const part = whole.subarray(3, 643);
    expect(received(binaryClientFrame(part, 0xffffffff)).equals(part)).toBe(true);
    expect(whole).toEqual(bytes(1000));
  });

  test('is masked, with another mask each time', () => {
    const sent = Buffer.from(binaryClientFrame(new Uint8Array(64), freshMask()));
    const mask = sent.subarray(2, 6);
    expect(sent[1]).toBe(0x80 | 64);
    expect(sent.subarray(6, 10).equals(mask)).toBe(true);
    const others = new Set(Array.from({ length: 3000 }, freshMask));
    expect(others.size).toBeGreaterThan(2990);
  });
});
