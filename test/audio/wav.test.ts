import { describe, expect, test } from 'vitest';
import { parseWav, WavError } from '../../src/audio/parse-wav.ts';
import { bytesFromPcm16 } from '../../src/audio/pcm16.ts';
import { WAV_HEADER_BYTES, wavHeader, wavLengthPatches } from '../../src/audio/wav-header.ts';

function chunk(name: string, body: Uint8Array, size = body.length): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(size, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

function format(tag: number, channels: number, rate: number, bits: number, extra = 0): Buffer {
  const body = Buffer.alloc(16 + extra);
  body.writeUInt16LE(tag, 0);
  body.writeUInt16LE(channels, 2);
  body.writeUInt32LE(rate, 4);
  body.writeUInt32LE((rate * channels * bits) / 8, 8);
  body.writeUInt16LE((channels * bits) / 8, 12);
  body.writeUInt16LE(bits, 14);
  return body;
}

function riff(...chunks: Buffer[]): Buffer {
  return Buffer.concat([chunk('RIFF', Buffer.alloc(0), 0), Buffer.from('WAVE'), ...chunks]);
}

function samplesOf(bytes: Uint8Array): number[][] {
  return parseWav(bytes).channels.map((channel) => [...channel]);
}

test('the header is read back', () => {
  const pcm = Int16Array.of(1, -1, 32767, -32768);
  const header = wavHeader({ sampleRateHz: 24000, channels: 2, dataBytes: pcm.byteLength });
  expect(header.length).toBe(WAV_HEADER_BYTES);
  const audio = parseWav(Buffer.concat([header, bytesFromPcm16(pcm)]));
  expect(audio.sampleRateHz).toBe(24000);
  expect(audio.channels.map((channel) => [...channel])).toEqual([
    [1, 32767],
    [-1, -32768],
  ]);
});

test('a stream without an end is read as far as it goes, and patched to a file with one', () => {
  const pcm = Int16Array.of(1, 2, 3);
  const stream = Buffer.concat([
    wavHeader({ sampleRateHz: 8000, channels: 1 }),
    bytesFromPcm16(pcm),
  ]);
  expect(samplesOf(stream)).toEqual([[1, 2, 3]]);
  for (const { offset, bytes } of wavLengthPatches(pcm.byteLength)) stream.set(bytes, offset);
  const whole = wavHeader({ sampleRateHz: 8000, channels: 1, dataBytes: pcm.byteLength });
  expect([...stream.subarray(0, WAV_HEADER_BYTES)]).toEqual([...whole]);
  expect(stream.readUInt32LE(4)).toBe(stream.length - 8);
  expect(samplesOf(Buffer.concat([stream, chunk('LIST', Buffer.alloc(4))]))).toEqual([[1, 2, 3]]);
});

test('a file beyond 4 GiB keeps an unknown length', () => {
  for (const { bytes } of wavLengthPatches(5 * 2 ** 30)) {
    expect([...bytes]).toEqual([0xff, 0xff, 0xff, 0xff]);
  }
});

describe('encodings', () => {
  const cases: [string, number, number, Buffer, number[]][] = [
    ['PCM 8', 1, 8, Buffer.of(128, 255, 0), [0, 32512, -32768]],
    ['PCM 16', 1, 16, Buffer.of(0, 0x80, 0xff, 0x7f), [-32768, 32767]],
    ['PCM 24', 1, 24, Buffer.of(0xaa, 0x34, 0x12, 0, 0, 0x80), [0x1234, -32768]],
    ['PCM 32', 1, 32, Buffer.of(1, 2, 0x34, 0x12), [0x1234]],
    ['A-law', 6, 8, Buffer.of(0xd5, 0xaa), [8, 32256]],
    ['µ-law', 7, 8, Buffer.of(0xff, 0x00), [0, -32124]],
  ];
  test.each(cases)('%s', (_name, tag, bits, body, expected) => {
    expect(samplesOf(riff(chunk('fmt ', format(tag, 1, 8000, bits)), chunk('data', body)))).toEqual(
      [expected],
    );
  });

  test.each([
    ['float 32', 32, new Uint8Array(Float32Array.of(0, 0.5, 2, -2, Number.NaN).buffer)],
    ['float 64', 64, new Uint8Array(Float64Array.of(0, 0.5, 2, -2, Number.NaN).buffer)],
  ] as const)('%s, clipped, not-a-number is silence', (_name, bits, body) => {
    expect(samplesOf(riff(chunk('fmt ', format(3, 1, 8000, bits)), chunk('data', body)))).toEqual([
      [0, 16384, 32767, -32768, 0],
    ]);
  });

  test('the extensible format names its encoding in its subformat', () => {
    const extensible = format(0xfffe, 1, 8000, 16, 24);
    extensible.writeUInt16LE(1, 24);
    expect(samplesOf(riff(chunk('fmt ', extensible), chunk('data', Buffer.of(1, 0))))).toEqual([
      [1],
    ]);
  });
});

test('unknown chunks are stepped over, odd ones with their padding', () => {
  const bytes = riff(
    chunk('LIST', Buffer.from('odd')),
    chunk('fmt ', format(1, 1, 8000, 16)),
    chunk('fact', Buffer.alloc(4)),
    chunk('data', Buffer.of(7, 0)),
  );
  expect(samplesOf(bytes)).toEqual([[7]]);
});

test('a file cut inside its audio keeps the whole samples', () => {
  const bytes = riff(
    chunk('fmt ', format(1, 2, 8000, 16)),
    chunk('data', Buffer.of(1, 0, 2, 0, 3, 0), 400),
  );
  expect(samplesOf(bytes)).toEqual([[1], [2]]);
});

describe('refusals', () => {
  const fmt = chunk('fmt ', format(1, 1, 8000, 16));
  test.each([
    ['nothing', Buffer.alloc(0), 'not-wav'],
    ['an mp3', Buffer.from('ID3 and some more bytes'), 'not-wav'],
    ['no chunk', riff(), 'no-format'],
    ['audio before its format', riff(chunk('data', Buffer.alloc(2)), fmt), 'no-format'],
    ['no audio', riff(fmt), 'no-data'],
    ['a short format', riff(chunk('fmt ', Buffer.alloc(10))), 'bad-format'],
    ['no channel', riff(chunk('fmt ', format(1, 0, 8000, 16)), chunk('data', fmt)), 'bad-format'],
    ['no rate', riff(chunk('fmt ', format(1, 1, 0, 16)), chunk('data', fmt)), 'bad-format'],
    ['ADPCM', riff(chunk('fmt ', format(2, 1, 8000, 4)), chunk('data', fmt)), 'unsupported'],
    ['PCM of 12 bits', riff(chunk('fmt ', format(1, 1, 8000, 12))), 'unsupported'],
  ])('%s', (_name, bytes, code) => {
    expect(() => parseWav(bytes)).toThrow(WavError);
    expect(() => parseWav(bytes)).toThrow(expect.objectContaining({ code }));
  });

  test('any cut and any flipped byte of a file is read or refused, never another error', () => {
    const file = riff(fmt, chunk('LIST', Buffer.from('x')), chunk('data', Buffer.alloc(8)));
    const tryParse = (bytes: Uint8Array): void => {
      try {
        parseWav(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(WavError);
      }
    };
    for (let i = 0; i < file.length; i++) {
      tryParse(file.subarray(0, i));
      for (const value of [0, 1, 0x7f, 0xff]) {
        const broken = Buffer.from(file);
        broken[i] = value;
        tryParse(broken);
      }
    }
  });
});
