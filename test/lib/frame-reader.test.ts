import { describe, expect, test } from 'vitest';
import { FrameReader } from '../../src/lib/frame-reader.ts';

const TEXT = 0x81;
const BINARY = 0x82;
const CLOSE = 0x88;
const PING = 0x89;
const PONG = 0x8a;
const MASK = [0x37, 0xfa, 0x21, 0x3d] as const;

type Seen = { message: string; isBinary: boolean } | { control: string } | { rest: string };

function frame(first: number, payload: Buffer, mask: readonly number[] = MASK): Buffer {
  const { length } = payload;
  const masked = mask.length > 0 ? 0x80 : 0;
  const head =
    length < 126
      ? [first, masked | length]
      : length < 65_536
        ? [first, masked | 126, length >> 8, length & 0xff]
        : [first, masked | 127, 0, 0, 0, 0, 0, length >> 16, (length >> 8) & 0xff, length & 0xff];
  const body = payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0));
  return Buffer.concat([Buffer.from([...head, ...mask]), body]);
}

function bytes(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, at) => (at * 7 + (at >> 8)) & 0xff));
}

/** The frames found in these pieces, and the remaining bytes joined. */
function read(pieces: readonly Buffer[], { isMasked = true, maxPayloadBytes = 60_000 } = {}) {
  const seen: Seen[] = [];
  const reader = new FrameReader(
    {
      message: (payload, isBinary) =>
        seen.push({ message: payload.toString(isBinary ? 'hex' : 'utf8'), isBinary }),
      control: (whole) => seen.push({ control: whole.toString('hex') }),
      rest(left) {
        const last = seen.at(-1);
        if (last && 'rest' in last) last.rest += left.toString('hex');
        else seen.push({ rest: left.toString('hex') });
      },
    },
    { isMasked, maxPayloadBytes },
  );
  // The reader unmasks in this memory, so it is copied first.
  for (const piece of pieces) {
    const given = Buffer.from(piece);
    reader.read(given);
    given.fill(0xee);
  }
  return seen;
}

function inPiecesOf(size: number, whole: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
    whole.subarray(at * size, (at + 1) * size),
  );
}

describe('a reader of frames', () => {
  const letters = 'ab-'.repeat(40);
  const said = 'Größe 16 kHz ✓';
  const frames = [
    frame(TEXT, Buffer.from(said)),
    frame(BINARY, bytes(640)),
    frame(BINARY, bytes(0)),
    frame(PING, Buffer.from('hi')),
    frame(TEXT, Buffer.from(letters)),
    frame(BINARY, bytes(126)),
    frame(PONG, bytes(125)),
    frame(BINARY, bytes(60_000), [0, 0, 0, 0]),
  ];
  const found: Seen[] = [
    { message: said, isBinary: false },
    { message: bytes(640).toString('hex'), isBinary: true },
    { message: '', isBinary: true },
    { control: (frames[3] as Buffer).toString('hex') },
    { message: letters, isBinary: false },
    { message: bytes(126).toString('hex'), isBinary: true },
    { control: (frames[6] as Buffer).toString('hex') },
    { message: bytes(60_000).toString('hex'), isBinary: true },
  ];

  test.each([1, 2, 3, 5, 7, 13, 641, 64 * 1024, 1_000_000])(
    'finds them in pieces of %i bytes',
    (size) => {
      expect(read(inPiecesOf(size, Buffer.concat(frames)))).toEqual(found);
    },
  );

  test('reads what a server sends, which is not masked', () => {
    const sent = Buffer.concat([
      frame(TEXT, Buffer.from('a word'), []),
      frame(BINARY, bytes(300), []),
    ]);
    const heard = [
      { message: 'a word', isBinary: false },
      { message: bytes(300).toString('hex'), isBinary: true },
    ];
    for (const size of [1, 4, 1000])
      expect(read(inPiecesOf(size, sent), { isMasked: false })).toEqual(heard);
  });

  const others: readonly (readonly [string, Buffer])[] = [
    ['the close', frame(CLOSE, Buffer.from([3, 0xe8]))],
    ['the first part of a message', frame(0x01, Buffer.from('par'))],
    ['a later part of a message', frame(0x80, Buffer.from('t'))],
    ['a reserved bit', frame(0xc2, bytes(10))],
    ['a reserved opcode', frame(0x83, bytes(10))],
    ['a ping in parts', frame(0x09, bytes(3))],
    ['a ping that is too long', frame(PING, bytes(126))],
    ['a message without a mask', frame(BINARY, bytes(10), [])],
    ['a message over the limit', frame(BINARY, bytes(60_001))],
    ['a message of 64 KiB', frame(BINARY, bytes(65_536))],
    ['a text that is no UTF-8', frame(TEXT, Buffer.from([0x68, 0xff, 0x69]))],
  ];

  test.each(others)('leaves %s as it came, and all after it', (_, other) => {
    const behind = frame(BINARY, bytes(20));
    const sent = Buffer.concat([frames[0] as Buffer, other, behind]);
    for (const size of [1, 3, 10, sent.length])
      expect(read(inPiecesOf(size, sent))).toEqual([
        { message: said, isBinary: false },
        { rest: Buffer.concat([other, behind]).toString('hex') },
      ]);
  });

  test('knows nothing of a frame that has not come whole', () => {
    expect(read([(frames[1] as Buffer).subarray(0, 600)])).toEqual([]);
  });
});
