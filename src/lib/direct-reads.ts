import { EventEmitter } from 'node:events';
import { type AddressInfo, createServer, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { WebSocket } from 'ws';
import { FrameReader, type FrameReaderOptions } from './frame-reader.ts';

/** What the system read comes here, for all sockets: nobody keeps it beyond its turn. */
const MEMORY = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * Where a socket keeps its option `onread`. It is public, but only for a socket one makes oneself; those of a
 * server and of an upgraded request are made by Node. Nothing where this Node keeps it otherwise.
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

/** Off, `ws` reads sockets as it always does. */
let isInUse = true;

/**
 * Has the messages of an open WebSocket read from what the system hands over, past the streams and past the
 * receiver of `ws`, which cost more than the rest of a frame's way. All that is not a plain message or a ping
 * is still the business of `ws`, as are the close and everything that is sent. A message's bytes are valid
 * until its listeners return.
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
  // A copy: it may keep them.
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
  // Also for what had come before.
  stream.on('data', read).off('data', usual);
  readIntoMemory(stream, (bytes) => {
    if (!isDirect) return stream.push(Buffer.from(bytes));
    reader.read(bytes);
    return true;
  });
}

/** `read` gets what the system reads, in memory that is used again, and says whether there may be more at once. */
function readIntoMemory(stream: Duplex, read: (bytes: Buffer) => boolean): void {
  if (!ONREAD || !(stream instanceof Socket) || stream instanceof TLSSocket) return;
  const handle: unknown = Reflect.get(stream, '_handle');
  if (!(handle instanceof Object) || !('useUserBuffer' in handle)) return;
  if (typeof handle.useUserBuffer !== 'function') return;
  Reflect.set(stream, ONREAD.buffer, MEMORY);
  Reflect.set(stream, ONREAD.callback, (length: number) => read(MEMORY.subarray(0, length)));
  handle.useUserBuffer(MEMORY);
}

/** A masked text frame, `known`, and a close, which is for `ws`. */
const KNOWN_FRAME = Buffer.from([0x81, 0x85, 1, 2, 3, 4, 0x6a, 0x6c, 0x6c, 0x73, 0x6f]);
const CLOSE_FRAME = Buffer.from([0x88, 0x80, 1, 2, 3, 4]);
/** Long, since a busy machine proves nothing about Node; a proof that succeeds takes milliseconds. */
const PROOF_MS = 10_000;

/**
 * Reads known frames through a socket of this machine as calls do. False where this Node does not read them whole, in
 * order and past its streams, or not in time.
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
      // Only what comes once the socket is read directly proves anything.
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

/** Proves direct reads where they are wanted, and goes without them, with one line in the log, where they fail. */
export async function settleDirectReads(
  isWanted: boolean,
  log: { warn(fields: object, message: string): void },
): Promise<void> {
  isInUse = isWanted;
  if (!isWanted || (await proveDirectReads())) return;
  isInUse = false;
  log.warn({ node: process.version }, 'this Node cannot be read from directly: calls cost more');
}
