import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../src/lib/json-frame.ts';
import { startLocalServer } from './local-server.ts';
import {
  type EmulatedConnection,
  startVendorSocketEmulator,
  type VendorSocketEmulator,
} from './vendor-socket-emulator.ts';

/** What two clients can be compared by: where they connect, as whom, and what they say. */
export interface SocketWire {
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: JsonObject;
  /** Text frames, parsed. */
  readonly frames: readonly unknown[];
  /** Of all binary frames together. */
  readonly audioBytes: number;
}

export interface HttpWire {
  readonly method: string | undefined;
  readonly path: string;
  readonly headers: JsonObject;
  readonly body: Buffer;
}

/** A socket server that takes everybody and answers as told. */
export function captureSockets(
  answer: {
    readonly connected?: (connection: EmulatedConnection) => void;
    readonly frame?: (connection: EmulatedConnection, frame: unknown, isBinary: boolean) => void;
  } = {},
): Promise<VendorSocketEmulator> {
  return startVendorSocketEmulator({
    refuse: () => undefined,
    connected: answer.connected ?? (() => undefined),
    frame: answer.frame ?? (() => undefined),
  });
}

/** Options of `ws` for a client that insists on `wss`: the plain server is reached without encryption. */
export function plainSockets(baseUrl: string): { createConnection: () => Socket } {
  const { hostname, port } = new URL(baseUrl);
  return { createConnection: () => connect(Number(port), hostname) };
}

/** What came over a connection, with the headers that matter. */
export function socketWire(
  connection: EmulatedConnection | undefined,
  headers: readonly string[],
): SocketWire {
  if (!connection) throw new Error('nobody connected');
  const { url, received } = connection;
  return {
    path: url.pathname,
    query: [...url.searchParams].sort(([a, x], [b, y]) => a.localeCompare(b) || x.localeCompare(y)),
    headers: Object.fromEntries(headers.map((name) => [name, connection.headers[name]])),
    frames: received.filter((frame) => !Buffer.isBuffer(frame)),
    audioBytes: received.reduce<number>(
      (sum, frame) => sum + (Buffer.isBuffer(frame) ? frame.length : 0),
      0,
    ),
  };
}

/** Resolves as soon as it holds; rejects after a minute. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`did not happen: ${what}`);
    await pause(5);
  }
}

export interface HttpCapture extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly HttpWire[];
}

/** A web server that notes every request and gives all of them one answer. */
export async function captureHttp(answer: {
  readonly status?: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
}): Promise<HttpCapture> {
  const requests: HttpWire[] = [];
  const server = await startLocalServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { method, url = '', headers } = request;
      requests.push({ method, path: url, headers, body });
      response.writeHead(answer.status ?? 200, { 'content-type': answer.contentType });
      response.end(answer.body);
    });
  });
  return { url: server.url, requests, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
