import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type Callers, startCallers } from './callers.ts';
import { missingForLoad } from './load-process.ts';
import { type MediaServer, startMediaServer, takeRaw } from './media-server.ts';

const missing = missingForLoad();

let callers: Callers;
let server: MediaServer;

/** A talking caller on a socket without a library. */
async function rawLine() {
  const raw = takeRaw(server);
  const target = server.target('web');
  expect(await callers.ask('connect', target)).toEqual({ connected: 1, refused: [] });
  await callers.ask('reset');
  return { socket: await raw.socket, heard: raw.heard };
}

async function report() {
  const { lines } = await callers.ask('report');
  return lines[0];
}

describe.skipIf(!!missing)(`the callers of the load${missing ? `: ${missing}` : ''}`, () => {
  beforeAll(async () => {
    callers = await startCallers();
  });
  afterAll(() => callers.stop());
  beforeEach(async () => {
    server = await startMediaServer();
  });
  afterEach(async () => {
    server.stop();
    await callers.ask('hangup');
  });

  test('read frames that come byte by byte', async () => {
    const { socket, heard } = await rawLine();
    const audio = [Buffer.from([0x82, 0x7e, 0x02, 0x80]), Buffer.alloc(640)];
    const ping = Buffer.from([0x89, 0x01, 0x21]);
    for (const byte of Buffer.concat([...audio, ping])) {
      socket.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    const pong = Buffer.from([0x8a, 0x81, 0, 0, 0, 0, 0x21]);
    await eventually(() => expect(heard().includes(pong)).toBe(true));
    expect((await report())?.replyAt).toHaveLength(1);
    expect((await report())?.latenessMs).toEqual([]);
  });

  test.each([
    ['a masked frame', '\x81\x80\0\0\0\0', 'a broken frame'],
    ['a fragment', '\x01\x02{}', 'a broken frame'],
    ['a frame that is too long', '\x82\x7f\0\0\0\0\xff\0\0\0', 'a broken frame'],
    ['text that is no JSON', '\x81\x05hello\x88\x02\x03\xe8', '1000 '],
    ['JSON that does not end', '\x81\x0a{"event":"\x88\x00', '1005 '],
    [
      'a mark without end',
      `\x81\x7e\x00\xfa{"type":"mark","mark":"${'m'.repeat(225)}"}`,
      'marks too much',
    ],
    ['marks without end', '\x81\x1a{"type":"mark","mark":"m"}'.repeat(65), 'marks too much'],
    ['half of a frame at its end', '\x82\x7e\x02', '1006'],
  ])('outlive %s', async (_, frame, lost) => {
    const { socket } = await rawLine();
    // Marks behind sound that is not played meanwhile.
    socket.write(Buffer.concat([Buffer.from([0x82, 0x7e, 0x7d, 0x00]), Buffer.alloc(32_000)]));
    socket.end(frame, 'latin1');
    await eventually(async () => expect((await report())?.lost).toBe(lost));
  });

  test('drop a service that asks and never reads', async () => {
    const { socket } = await rawLine();
    socket.pause();
    const ping = Buffer.concat([Buffer.from([0x89, 0x7d]), Buffer.alloc(125)]);
    const pings = Buffer.concat(Array.from({ length: 1000 }, () => ping));
    const timer = setInterval(() => socket.write(pings), 1);
    try {
      await eventually(async () => expect((await report())?.lost).toBe('reads too slowly'));
    } finally {
      clearInterval(timer);
    }
  });
});
