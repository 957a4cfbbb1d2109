import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { monotonicMs, type Target } from './messages.ts';

interface Said {
  readonly atMs: number;
  readonly bytes?: Buffer;
  readonly text?: { readonly event?: string; readonly type?: string };
}

/** A caller as the service sees it. */
export class HeardLine {
  readonly socket: WebSocket;
  readonly said: Said[] = [];

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      const what = isBinary ? { bytes: data } : { text: JSON.parse(data.toString()) };
      this.said.push({ atMs: monotonicMs(), ...what });
    });
  }

  get frames(): readonly Buffer[] {
    return this.said.flatMap(({ bytes }) => (bytes ? [bytes] : []));
  }

  /** Messages of one kind, on either wire. */
  texts(kind: string): readonly Said[] {
    return this.said.filter(({ text }) => (text?.event ?? text?.type) === kind);
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  /** Closes as soon as the caller of a web call hangs up. */
  closeOnHangup(): void {
    this.socket.on('message', (data) => {
      if (data.toString() === '{"type":"hangup"}') this.socket.close(1000);
    });
  }
}

export const readies = (line: HeardLine): void => line.send({ type: 'ready', callId: 'c-1' });

/** What a service shows to its callers, and nothing behind it. */
export async function startMediaServer() {
  const lines: HeardLine[] = [];
  const opened = {
    /** What is done with a socket that has just opened. */
    onLine: readies as (line: HeardLine) => void,
    /** Instead of a WebSocket. */
    onUpgrade: undefined as ((socket: Socket, key: string) => void) | undefined,
  };
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const raw = new Set<Socket>();
  const server = createServer((request, response) => {
    const media = `${url.replace('http', 'ws')}/media?token=x`;
    if (request.url === '/carriers/twilio/voice')
      response.end(`<Response><Connect><Stream url="${media}"/></Connect></Response>`);
    else response.end(JSON.stringify({ webCall: { url: media } }));
  });
  server.on('upgrade', (request, socket, head) => {
    raw.add(socket as Socket);
    socket.on('error', () => undefined);
    if (opened.onUpgrade) {
      opened.onUpgrade(socket as Socket, String(request.headers['sec-websocket-key']));
      return;
    }
    sockets.handleUpgrade(request, socket, head, (taken) => {
      const line = new HeardLine(taken);
      lines.push(line);
      opened.onLine(line);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    lines,
    opened,
    target: (wire: 'web' | 'carrier', more: Partial<Target> = {}): Target => ({
      kind: 'service',
      url,
      calls: 1,
      wires: [wire],
      silent: false,
      apiKey: 'k',
      assistantId: 'a',
      carrier: { number: '+15005550006', authToken: 't' },
      ...more,
    }),
    stop() {
      for (const socket of raw) socket.destroy();
      server.close();
    },
  };
}

export type MediaServer = Awaited<ReturnType<typeof startMediaServer>>;

/** The next caller's socket, taken without a library. */
export function takeRaw({ opened }: MediaServer) {
  const taken = Promise.withResolvers<Socket>();
  const parts: Buffer[] = [];
  opened.onUpgrade = (socket, key) => {
    const accept = createHash('sha1')
      .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.setNoDelay(true);
    socket.on('data', (data: Buffer) => parts.push(data));
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n\x81\x10{"type":"ready"}`,
      'latin1',
    );
    taken.resolve(socket);
  };
  return { socket: taken.promise, heard: () => Buffer.concat(parts) };
}
