import { expect, test } from 'vitest';
import { PacketStream, resetPacket } from '../../src/cluster/packet-stream.ts';
import { ManualClock } from '../support/manual-clock.ts';
import fc from '../support/properties.ts';

/** What becomes of each packet on its way: lost, sent twice, late by so many ms. */
function badWay(seed: number): () => readonly number[] {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
  return () => {
    const drawn = random();
    if (drawn < 0.2) return [];
    if (drawn < 0.3) return [0, 0];
    return drawn < 0.4 ? [random() * 400] : [0];
  };
}

function openPair(fateOf: () => readonly number[] = () => [0], maxPacketBytes = 1_000) {
  const clock = new ManualClock();
  const ends: PacketStream[] = [];
  const send = (packet: Uint8Array, to: number) => {
    expect(packet.length).toBeLessThanOrEqual(maxPacketBytes);
    for (const lateMs of fateOf())
      clock.setTimeout(() => {
        // An end that is closed is not known any more.
        if (!ends[to]?.destroyed) ends[to]?.receive(packet);
        else if (packet[0] !== resetPacket()[0]) send(resetPacket(), 1 - to);
      }, lateMs);
  };
  for (const to of [1, 0])
    ends.push(new PacketStream({ clock, maxPacketBytes, send: (packet) => send(packet, to) }));
  const [a, b] = ends as [PacketStream, PacketStream];
  return { a, b, clock };
}

function read(stream: PacketStream): { readonly bytes: () => Buffer; hasEnded: boolean } {
  const chunks: Buffer[] = [];
  const reader = { bytes: () => Buffer.concat(chunks), hasEnded: false };
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => {
    reader.hasEnded = true;
  });
  return reader;
}

test('all bytes arrive once and in order, whatever packets get lost, come twice or late, both ways', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer(),
      fc.array(fc.uint8Array({ maxLength: 3_000 }), { maxLength: 20 }),
      fc.array(fc.uint8Array({ maxLength: 3_000 }), { maxLength: 20 }),
      async (seed, there, back) => {
        const { a, b, clock } = openPair(badWay(seed));
        const [atA, atB] = [read(a), read(b)];
        for (const chunk of there) a.write(chunk);
        for (const chunk of back) b.write(chunk);
        a.end();
        b.end();
        for (let i = 0; i < 400 && !(atA.hasEnded && atB.hasEnded); i++) await clock.advance(500);
        expect(atB.bytes()).toEqual(Buffer.concat(there));
        expect(atA.bytes()).toEqual(Buffer.concat(back));
        expect([atA.hasEnded, atB.hasEnded]).toEqual([true, true]);
      },
    ),
    { numRuns: 50, endOnFailure: true },
  );
});

test('no more than a window is under way to a reader that does not read', async () => {
  const { a, b, clock } = openPair(undefined, 100_000);
  let written = 0;
  const write = () => {
    while (written < 10_000_000) {
      written += 50_000;
      if (!a.write(Buffer.alloc(50_000))) return;
    }
  };
  a.on('drain', write);
  write();
  await clock.advance(20_000);
  expect(written).toBeLessThan(600_000);
  const reader = read(b);
  await clock.advance(20_000);
  expect(written).toBe(10_000_000);
  expect(reader.bytes()).toHaveLength(10_000_000);
});

test('an end that falls silent is given up after half a minute, but only while something waits for it', async () => {
  const clock = new ManualClock();
  const stream = new PacketStream({ clock, maxPacketBytes: 1_000, send() {} });
  let failure: Error | undefined;
  stream.on('error', (error) => {
    failure = error;
  });
  await clock.advance(3_600_000);
  stream.write('anyone?');
  await clock.advance(29_000);
  expect(stream.destroyed).toBe(false);
  await clock.advance(4_000);
  expect(failure?.message).toBe('the other end of the stream is silent');
});

test('an end that is destroyed ends the other; one that is not known there is told so', async () => {
  const { a, b, clock } = openPair();
  a.destroy();
  await clock.advance(100);
  expect(b.destroyed).toBe(true);
  const { a: lone } = openPair();
  lone.receive(resetPacket());
  expect(lone.destroyed).toBe(true);
  lone.receive(new Uint8Array(3));
});
