import { Socket } from 'node:net';
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

/**
 * Has the messages of an open WebSocket read from what the system hands over, past the streams and past the
 * receiver of `ws`, which cost more than the rest of a frame's way. All that is not a plain message or a ping
 * is still the business of `ws`, as are the close and everything that is sent. A message's bytes are valid
 * until its listeners return.
 */
export function readDirectly(socket: WebSocket, stream: Duplex, options: FrameReaderOptions): void {
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
