import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** A connection as the emulator keeps it in its journal. */
export interface EmulatedConnection {
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  /** Every frame that came, text parsed as JSON. */
  readonly received: unknown[];
  readonly closed: Promise<{ readonly code: number }>;
  readonly socket: WebSocket;
}

/** Refusal of an upgrade. */
export interface UpgradeRefusal {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface VendorSocketEmulator extends AsyncDisposable {
  /** `http://…`, as a vendor's SDK takes it. */
  readonly baseUrl: string;
  readonly connections: readonly EmulatedConnection[];
}

interface Behaviour {
  /** Why a connection is refused; nothing: it is not. */
  refuse(request: IncomingMessage, url: URL): UpgradeRefusal | undefined;
  /** Answers a request that is no upgrade; absent or nothing: there is no such address. */
  answer?(request: IncomingMessage, url: URL): UpgradeRefusal | undefined;
  connected(connection: EmulatedConnection): void;
  frame(connection: EmulatedConnection, frame: unknown, isBinary: boolean): void;
}

/** A WebSocket server with a journal, on which the vendors' emulators stand. */
export async function startVendorSocketEmulator(
  behaviour: Behaviour,
): Promise<VendorSocketEmulator> {
  const http = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://emulator');
    const { status, body } = behaviour.answer?.(request, url) ?? { status: 404 };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? {}));
  });
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const connections: EmulatedConnection[] = [];
  http.on('upgrade', (request, raw, head) => {
    const url = new URL(request.url ?? '/', 'http://emulator');
    const refusal = behaviour.refuse(request, url);
    if (refusal) {
      const body = JSON.stringify(refusal.body ?? {});
      const headers = Object.entries(refusal.headers ?? {}).map(([k, v]) => `${k}: ${v}\r\n`);
      raw.end(
        `HTTP/1.1 ${refusal.status} Refused\r\n${headers.join('')}content-type: application/json\r\n` +
          `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      );
      return;
    }
    sockets.handleUpgrade(request, raw, head, (socket) => {
      const received: unknown[] = [];
      const connection: EmulatedConnection = {
        url,
        headers: request.headers,
        received,
        socket,
        closed: new Promise((resolve) => socket.once('close', (code) => resolve({ code }))),
      };
      connections.push(connection);
      socket.on('message', (data, isBinary) => {
        const frame: unknown = isBinary ? data : JSON.parse(String(data));
        received.push(frame);
        behaviour.frame(connection, frame, isBinary);
      });
      behaviour.connected(connection);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    connections,
    async [Symbol.asyncDispose]() {
      for (const client of sockets.clients) client.terminate();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
