import { EventEmitter } from 'node:events';
import { type AddressInfo, createServer, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { WebSocket } from 'ws';
import { FrameReader, type FrameReaderOptions } from './frame-reader.ts';
import { callClock } from './prompt-clock.ts';

/** Read buffer of all sockets: its content is valid only until the callback returns. */
const MEMORY = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * Where a socket holds its option `onread`. The option is public, but only for sockets that are created with it; Node
 * itself creates those of a server and of an upgraded request. Undefined if this Node version has no such internals.
 */
const ONREAD = findOnread();

function findOnread() {
  const made = new Socket({ onread: { buffer: new Uint8Array(1), callback: () => true } });
  const named = (name: string) =>
    Object.getOwnPropertySymbols(made).find(({ description }) => description === name);
  const buffer = named('kBuffer');
  const callback = named('kBufferCb');
  return buffer && callback && { buffer, callback };
}

/** If false, `ws` reads sockets as usual. */
let isInUse = true;

/**
 * Reads the messages of an open WebSocket from the bytes of the operating system, bypassing the streams and the
 * receiver of `ws`, which cost more than the rest of a frame's way. `ws` still handles everything but plain messages
 * and pings, as well as closing and sending. A message's bytes are valid until its listeners return.
 */
export function readDirectly(
  socket: Pick<WebSocket, 'emit'>,
  stream: Duplex,
  options: FrameReaderOptions,
): void {
  if (!isInUse) return;
  const [usual, ...more] = stream.listeners('data') as ((bytes: Buffer) => void)[];
  if (!usual || more.length > 0) return;
  let isDirect = true;
  // A copy, since `ws` may keep the bytes.
  const giveToWs = (bytes: Buffer) => usual.call(stream, Buffer.from(bytes));
  const reader = new FrameReader(
    {
      message: (payload, isBinary) => void socket.emit('message', payload, isBinary),
      control: giveToWs,
      rest(bytes) {
        if (isDirect) {
          isDirect = false;
          stream.on('data', usual).off('data', read);
        }
        giveToWs(bytes);
      },
    },
    options,
  );
  const read = (bytes: Buffer) => reader.read(bytes);
  // Handles bytes that arrived earlier, too.
  stream.on('data', read).off('data', usual);
  readIntoMemory(stream, (bytes) => {
    if (!isDirect) return stream.push(Buffer.from(bytes));
    reader.read(bytes);
    return true;
  });
}

/** `read` gets the bytes in a buffer that is reused; it returns whether to continue reading at once. */
function readIntoMemory(stream: Duplex, read: (bytes: Buffer) => boolean): void {
  if (!ONREAD || !(stream instanceof Socket) || stream instanceof TLSSocket) return;
  const handle: unknown = Reflect.get(stream, '_handle');
  if (!(handle instanceof Object) || !('useUserBuffer' in handle)) return;
  if (typeof handle.useUserBuffer !== 'function') return;
  Reflect.set(stream, ONREAD.buffer, MEMORY);
  Reflect.set(stream, ONREAD.callback, (length: number) => {
    callClock.ring();
    return read(MEMORY.subarray(0, length));
  });
  handle.useUserBuffer(MEMORY);
}

/** A masked text frame (`known`), and a close frame, which `ws` handles. */
const KNOWN_FRAME = Buffer.from([0x81, 0x85, 1, 2, 3, 4, 0x6a, 0x6c, 0x6c, 0x73, 0x6f]);
const CLOSE_FRAME = Buffer.from([0x88, 0x80, 1, 2, 3, 4]);
/** Long, since a timeout on a busy machine proves nothing about Node; a successful proof takes milliseconds. */
const PROOF_MS = 10_000;

/**
 * Reads known frames over a local socket as calls do. False if this Node version does not deliver them complete, in
 * order, bypassing its streams and in time.
 */
export async function proveDirectReads(
  read: typeof readDirectly = readDirectly,
  deadlineMs: number = PROOF_MS,
): Promise<boolean> {
  const proved = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => proved.resolve(false), deadlineMs);
  const seen: string[] = [];
  const server = createServer((stream) => {
    const socket = new EventEmitter();
    stream.on('error', () => proved.resolve(false));
    stream.on('data', (bytes: Buffer) => {
      seen.push(bytes.toString('hex'));
      proved.resolve(seen.join() === ['known', 'known', CLOSE_FRAME.toString('hex')].join());
    });
    socket.on('message', (payload: Buffer) => {
      seen.push(payload.buffer === MEMORY.buffer ? payload.toString() : 'by the stream');
      // Only bytes that arrive after direct reading has begun prove anything.
      client.write(seen.length === 1 ? KNOWN_FRAME : CLOSE_FRAME);
    });
    read(socket as unknown as WebSocket, stream, { isMasked: true, maxPayloadBytes: 1000 });
    client.write(KNOWN_FRAME);
  });
  const client = new Socket().on('error', () => proved.resolve(false));
  server.on('error', () => proved.resolve(false));
  // Exclusive: workers of one cluster would share the port and get each other's connections.
  server.listen({ port: 0, host: '127.0.0.1', exclusive: true }, () => {
    client.connect((server.address() as AddressInfo).port, '127.0.0.1');
  });
  try {
    return await proved.promise;
  } finally {
    clearTimeout(timer);
    client.destroy();
    server.close();
  }
}

/** If direct reads are enabled, proves that they work; if they do not, logs a warning and turns them off. */
export async function settleDirectReads(
  isWanted: boolean,
  log: { warn(fields: object, message: string): void },
): Promise<void> {
  isInUse = isWanted;
  if (!isWanted || (await proveDirectReads())) return;
  isInUse = false;
  log.warn(
    { node: process.version },
    'direct reads do not work with this Node version: calls cost more CPU time',
  );
}
