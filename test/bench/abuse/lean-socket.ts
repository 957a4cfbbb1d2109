import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { Socket } from 'node:net';

const TEXT = 0x1;
const BINARY = 0x2;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;
const LAST = 0x80;
const MASKED = 0x80;
const MASK_BYTES = 4;

export interface LeanSocketOwner {
  opened(): void;
  message(data: Buffer, isBinary: boolean): void;
  /** Last call, once; `why` has the close code where there was one. */
  closed(why: string): void;
}

/**
 * A frame as a client sends it (RFC 6455, 5.2), its mask all zeros: what was in it is in it still. Fewer than
 * 64 KiB.
 */
function frameOf(opcode: number, payload: Uint8Array | string): Buffer {
  const length = Buffer.byteLength(payload);
  const isShort = length < 126;
  const start = (isShort ? 2 : 4) + MASK_BYTES;
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = LAST | opcode;
  frame[1] = MASKED | (isShort ? length : 126);
  if (!isShort) frame.writeUInt16BE(length, 2);
  frame.writeUInt32BE(0, start - MASK_BYTES);
  if (typeof payload === 'string') frame.write(payload, start);
  else frame.set(payload, start);
  return frame;
}

/**
 * The client's side of a WebSocket to a server of ours, with only what an attacker needs: the machine's other cores are
 * to be busy with attacks, not with a library.
 */
export class LeanSocket {
  readonly #owner: LeanSocketOwner;
  #socket: Socket | undefined;
  #rest: Buffer | undefined;
  #why: string | undefined;

  constructor(url: string, owner: LeanSocketOwner) {
    this.#owner = owner;
    const asked = request(url.replace(/^ws/, 'http'), {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
      },
    });
    asked.on('upgrade', (_, socket, head) => this.#start(socket as Socket, head));
    asked.on('response', (response) => {
      response.destroy();
      this.#end(`not upgraded: ${response.statusCode}`);
    });
    asked.on('error', (error) => this.#end(error.message));
    asked.end();
  }

  get isOpen(): boolean {
    return this.#socket !== undefined && this.#why === undefined;
  }

  get isClosed(): boolean {
    return this.#why !== undefined;
  }

  text(text: string): void {
    this.#send(TEXT, text);
  }

  terminate(): void {
    this.#socket?.destroy();
    this.#end('terminated');
  }

  #start(socket: Socket, head: Buffer): void {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (data: Buffer) => this.#take(data));
    socket.on('error', (error) => this.#end(error.message));
    socket.on('close', () => this.#end('1006'));
    this.#owner.opened();
    if (head.length > 0) this.#take(head);
  }

  #send(opcode: number, payload: Uint8Array | string): void {
    if (this.isOpen) this.#socket?.write(frameOf(opcode, payload));
  }

  #take(data: Buffer): void {
    let bytes = this.#rest ? Buffer.concat([this.#rest, data]) : data;
    this.#rest = undefined;
    while (bytes.length >= 2 && !this.isClosed) {
      let length = (bytes[1] as number) & 0x7f;
      const start = length < 126 ? 2 : length === 126 ? 4 : 10;
      if (bytes.length < start) break;
      if (length === 126) length = bytes.readUInt16BE(2);
      else if (length === 127) length = Number(bytes.readBigUInt64BE(2));
      if (bytes.length < start + length) break;
      this.#frame((bytes[0] as number) & 0xf, bytes.subarray(start, start + length));
      bytes = bytes.subarray(start + length);
    }
    if (bytes.length > 0) this.#rest = bytes;
  }

  #frame(opcode: number, payload: Buffer): void {
    switch (opcode) {
      case TEXT:
      case BINARY:
        this.#owner.message(payload, opcode === BINARY);
        break;
      case PING:
        this.#send(PONG, payload);
        break;
      case CLOSE: {
        this.#send(CLOSE, payload);
        this.#socket?.end();
        const code = payload.length >= 2 ? payload.readUInt16BE(0) : 1005;
        this.#end(`${code} ${payload.subarray(2)}`);
        break;
      }
    }
  }

  #end(why: string): void {
    if (this.#why !== undefined) return;
    this.#why = why;
    this.#owner.closed(why);
  }
}
