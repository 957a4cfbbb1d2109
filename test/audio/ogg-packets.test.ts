import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { oggPackets, oggUntil } from '../../src/audio/ogg-packets.ts';

function page(serial: number, granule: number, lacing: readonly number[], body: string) {
  const head = Buffer.alloc(27);
  head.write('OggS');
  head.writeBigInt64LE(BigInt(granule), 6);
  head.writeUInt32LE(serial, 14);
  head[26] = lacing.length;
  return Buffer.concat([head, Buffer.from(lacing), Buffer.from(body)]);
}

const packetsOf = (bytes: Uint8Array) =>
  [...oggPackets(bytes)].map(({ bytes: packet, granule }) => [
    Buffer.from(packet).toString(),
    granule,
  ]);

const long = 'x'.repeat(255);
const file = Buffer.concat([
  page(7, 0, [4], 'head'),
  page(8, 0, [5], 'other'),
  page(7, -1, [255], long),
  page(7, 960, [1, 2, 0], 'ybb'),
  page(7, 1920, [1], 'z'),
]);

test('a packet may go on over pages; another stream in the file is passed over', () => {
  expect(packetsOf(file)).toEqual([
    ['head', 0],
    [`${long}y`, 960],
    ['bb', 960],
    ['', 960],
    ['z', 1920],
  ]);
});

test('a file that is cut off anywhere gives the packets of its whole pages', () => {
  const whole = packetsOf(file);
  for (let length = 0; length < file.length; length++) {
    const packets = packetsOf(file.subarray(0, length));
    expect(packets).toEqual(whole.slice(0, packets.length));
  }
});

test('a file is cut after the page at which enough has been said', () => {
  expect(packetsOf(oggUntil(file, 959)).at(-1)).toEqual(['', 960]);
  expect(oggUntil(file, 960)).toEqual(file);
});

test('a real encoder’s file begins with its two headers and lasts a second', () => {
  const path = resolve(import.meta.dirname, '../../fixtures/audio/formats/tone.opus');
  const packets = packetsOf(readFileSync(path));
  expect(packets.slice(0, 2).map(([text]) => String(text).slice(0, 8))).toEqual([
    'OpusHead',
    'OpusTags',
  ]);
  expect(packets.length).toBeGreaterThan(50);
  const preSkip = 312;
  expect(packets.at(-1)?.[1]).toBe(48_000 + preSkip);
});
