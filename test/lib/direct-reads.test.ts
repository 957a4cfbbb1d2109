import { execFile } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { proveDirectReads, readDirectly, settleDirectReads } from '../../src/lib/direct-reads.ts';
import { callClock } from '../../src/lib/prompt-clock.ts';
import { eventually } from '../support/eventually.ts';

const MAX_BYTES = 2000;
const MASK = Buffer.from([0x11, 0xa2, 0x03, 0xf4]);
const UPGRADE = [
  'GET / HTTP/1.1',
  'Host: x',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  '\r\n',
].join('\r\n');

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

function frame(first: number, payload: Buffer, mask: Buffer = MASK): Buffer {
  const { length } = payload;
  const head = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff];
  const body = payload.map((byte, at) => byte ^ (mask[at % 4] as number));
  return Buffer.concat([Buffer.from([first, ...head]), mask, body]);
}

/** A stream over a socket, without a handle of the operating system. */
function wrapped(socket: Socket): Duplex {
  const duplex = new Duplex({
    read() {},
    write: (chunk: Buffer, _, done) => void socket.write(chunk, done),
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroySoon();
      done(error);
    },
  });
  socket.on('data', (bytes: Buffer) => duplex.push(bytes)).on('end', () => duplex.push(null));
  socket.on('close', () => duplex.destroy()).on('error', () => {});
  return duplex;
}

type Way = 'usual' | 'direct' | 'direct on a stream';

/** A server that records messages and answers each with its length. */
async function serve(way: Way, onMessage = () => {}) {
  const heard: unknown[] = [];
  const memories = new Set<ArrayBufferLike>();
  const http = createServer();
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_BYTES });
  let closed = () => {};
  const over = new Promise<void>((resolve) => {
    closed = resolve;
  });
  http.on('upgrade', (request, socket, head) => {
    const stream = way === 'direct on a stream' ? wrapped(socket as Socket) : socket;
    sockets.handleUpgrade(request, stream, head, (ws) => {
      if (way !== 'usual') readDirectly(ws, stream, { isMasked: true, maxPayloadBytes: MAX_BYTES });
      ws.on('message', (data: Buffer, isBinary) => {
        memories.add(data.buffer);
        heard.push([data.toString('latin1'), isBinary]);
        onMessage();
        ws.send(String(data.length));
      });
      ws.on('ping', (data) => heard.push(['ping', data.toString()]));
      ws.on('pong', (data) => heard.push(['pong', data.toString()]));
      ws.on('error', (error) => heard.push(['error', error.message]));
      ws.on('close', (code, reason) => {
        heard.push(['close', code, reason.toString()]);
        closed();
      });
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  closers.push(() => {
    for (const client of sockets.clients) client.terminate();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  return { port, heard, memories, over };
}

/** Sends these pieces and returns the responses until the close, and the messages that the server received. */
async function converse(way: Way, pieces: readonly Buffer[]) {
  const { port, heard, memories, over } = await serve(way);
  const socket = connect(port, '127.0.0.1');
  const back: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => back.push(bytes)).on('error', () => {});
  const closed = new Promise((resolve) => socket.on('close', resolve));
  await once(socket, 'connect');
  socket.setNoDelay(true);
  // The first message arrives together with the upgrade.
  socket.write(Buffer.concat([Buffer.from(UPGRADE), pieces[0] ?? Buffer.alloc(0)]));
  await once(socket, 'data');
  for (const piece of pieces.slice(1)) {
    socket.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  socket.end();
  await Promise.all([over, closed]);
  return { heard, back: Buffer.concat(back).toString('latin1'), memories };
}

const text = frame(0x81, Buffer.from('{"type":"control"}'));
const audio = frame(0x82, Buffer.from(Array.from({ length: 640 }, (_, at) => at & 0xff)));
const bye = frame(0x88, Buffer.from([3, 0xe8, 0x6f, 0x6b]));

const TALKS: Readonly<Record<string, readonly Buffer[]>> = {
  'messages and a close': [text, audio, audio, frame(0x82, Buffer.alloc(0)), text, bye],
  'several at once, and one in pieces': [
    Buffer.concat([text, audio, audio.subarray(0, 3)]),
    audio.subarray(3, 7),
    audio.subarray(7),
    Buffer.concat([text, bye]),
  ],
  'pings and pongs between them': [
    audio,
    Buffer.concat([frame(0x89, Buffer.from('there?')), text]),
    frame(0x8a, Buffer.from('here')),
    audio,
    bye,
  ],
  'a message in parts, and what follows it': [
    audio,
    frame(0x01, Buffer.from('one ')),
    frame(0x89, Buffer.from('meanwhile')),
    frame(0x80, Buffer.from('whole')),
    audio,
    text,
    bye,
  ],
  'an end without a close': [text, audio.subarray(0, 100)],
  'a message that is too big': [audio, frame(0x82, Buffer.alloc(MAX_BYTES + 1)), text],
  'a text that is none': [audio, frame(0x81, Buffer.from([0xc3, 0x28])), text],
  'a frame without a mask': [audio, Buffer.from([0x82, 1, 7]), text],
  'a reserved bit': [Buffer.concat([audio, frame(0xf2, Buffer.from('x')), audio])],
  'no frames at all': [text, Buffer.from('GET / HTTP/1.1\r\n\r\n'), audio],
  'messages behind a close': [text, bye, audio],
};

describe('messages read directly', () => {
  test('ring the timers of calls that are due, before they are heard', async () => {
    const { port, heard } = await serve('direct', () => {
      if (heard.length > 1) return;
      callClock.setTimeout(() => heard.push('timer'), 1);
      const since = performance.now();
      while (performance.now() - since < 3);
    });
    const callers = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    closers.push(() => callers.forEach((caller) => void caller.destroy()));
    for (const caller of callers) {
      caller.write(UPGRADE);
      await once(caller, 'data');
    }
    // Both lie ready when the thread looks; its own timers come after the second.
    for (const caller of callers) caller.write(text);
    await eventually(() => expect(heard).toHaveLength(3), { everyMs: 5 });
    expect(heard[1]).toBe('timer');
  });

  test.each(Object.entries(TALKS))('are what they are to ws: %s', async (_, pieces) => {
    const { heard, back } = await converse('usual', pieces);
    expect(heard.length).toBeGreaterThan(0);
    for (const way of ['direct', 'direct on a stream'] as const) {
      const direct = await converse(way, pieces);
      expect({ way, heard: direct.heard, back: direct.back }).toEqual({ way, heard, back });
    }
  });

  test('come in one piece of memory, which is what it is for', async () => {
    const pieces = [text, audio, audio, text, bye];
    // Bytes that arrived with the upgrade are already on the stream.
    expect((await converse('direct', pieces)).memories.size).toBeLessThanOrEqual(2);
  });
});

describe('direct reads prove themselves', () => {
  // NODE_BINARIES lists executables of other major versions, separated by colons.
  test.each((process.env.NODE_BINARIES ?? process.execPath).split(':'))(
    'in %s',
    async (executable) => {
      const module = new URL('../../src/lib/direct-reads.ts', import.meta.url).href;
      const script = `const { proveDirectReads } = await import('${module}'); console.log(await proveDirectReads());`;
      const run = promisify(execFile)(executable, ['--input-type=module', '-e', script]);
      expect((await run).stdout.trim()).toBe('true');
    },
  );

  test.each<[string, typeof readDirectly]>([
    ['nothing is read', () => undefined],
    [
      'messages are lost',
      (_, stream) => void stream.removeAllListeners('data').on('data', () => undefined),
    ],
    [
      'bytes are wrong',
      (socket, stream) =>
        void stream
          .removeAllListeners('data')
          .on('data', (data) => socket.emit('message', data, false)),
    ],
  ])('not where %s', async (_, read) => {
    expect(await proveDirectReads(read, 100)).toBe(false);
  });

  test('they are left alone where they are not wanted, and are back when they are', async () => {
    const lines: unknown[] = [];
    const log = { warn: (fields: object) => void lines.push(fields) };
    await settleDirectReads(false, log);
    const stream = new Duplex({ read() {} });
    const usual = () => undefined;
    stream.on('data', usual);
    const options = { isMasked: true, maxPayloadBytes: 10 };
    readDirectly(new EventEmitter() as never, stream, options);
    expect(stream.listeners('data')).toEqual([usual]);
    await settleDirectReads(true, log);
    readDirectly(new EventEmitter() as never, stream, options);
    expect(stream.listeners('data')).not.toContain(usual);
    expect(lines).toEqual([]);
  });
});
