import { createHash, timingSafeEqual } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { BusHandler } from '../ports/bus.ts';
import type { Log } from '../ports/log.ts';
import { type LinkAddress, removeSocket, writeAddress } from './link-address.ts';
import { ADDRESS_HEADER, SECRET_HEADER, TIMEOUT_HEADER } from './link-headers.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_WAIT_MS = 60_000;
const HEADERS_MS = 10_000;

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** The internal server of a node, for other nodes only: it receives their questions and relayed sockets. */
export class LinkServer {
  readonly #server: Server;
  readonly #secret: Buffer;
  readonly #log: Log;
  readonly #handlers = new Map<string, BusHandler>();
  readonly #closed = new AbortController();
  #upgrade: Upgrade | undefined;
  #address = '';

  constructor({ secret, log }: { readonly secret: string; readonly log: Log }) {
    this.#secret = digest(secret);
    this.#log = log;
    this.#server = createServer({ headersTimeout: HEADERS_MS, requestTimeout: HEADERS_MS });
    this.#server.on('request', (request, response) => void this.#serve(request, response));
    this.#server.on('upgrade', (request, socket, head) => this.#pass(request, socket, head));
  }

  /** In the form that other nodes read; set once the server listens. */
  get address(): string {
    return this.#address;
  }

  answer(subject: string, handler: BusHandler): void {
    this.#handlers.set(subject, handler);
  }

  /** Registers the handler of sockets relayed by other nodes. */
  onUpgrade(upgrade: Upgrade): void {
    this.#upgrade = upgrade;
  }

  async listen(address: LinkAddress): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      // Not shared with the other workers, even where they share the service's port.
      this.#server.listen({ ...address, exclusive: true }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    const bound = this.#server.address() as AddressInfo | string;
    this.#address = writeAddress(bound);
    if ('path' in address && process.platform !== 'win32') await chmod(address.path, 0o600);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
    await removeSocket(this.#address);
  }

  #pass(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    if (!this.#isNode(request) || !this.#upgrade) {
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n');
      return;
    }
    const value = String(request.headers[ADDRESS_HEADER] ?? '');
    // Limits by address must apply to the client, not to the relaying node.
    Object.defineProperty(request.socket, 'remoteAddress', { value });
    delete request.headers[SECRET_HEADER];
    delete request.headers[ADDRESS_HEADER];
    this.#upgrade(request, socket, head);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const handler = this.#handlers.get(request.url?.slice(1) ?? '');
    if (!this.#isNode(request) || !handler) {
      request.resume();
      reply(response, handler ? 403 : 404, { error: 'not for you, or not known here' });
      return;
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const waitMs = Math.min(Number(request.headers[TIMEOUT_HEADER]) || MAX_WAIT_MS, MAX_WAIT_MS);
    const deadline = AbortSignal.timeout(waitMs);
    const signal = AbortSignal.any([gone.signal, this.#closed.signal, deadline]);
    try {
      const body = JSON.parse(await readAll(request)) as unknown;
      reply(response, 200, { answer: await handler(body, signal) });
    } catch (error) {
      this.#log.warn({ err: error, subject: request.url }, "another node's question failed");
      reply(response, 500, { error: error instanceof Error ? error.message : 'failed' });
    }
  }

  #isNode(request: IncomingMessage): boolean {
    const shown = request.headers[SECRET_HEADER];
    return typeof shown === 'string' && timingSafeEqual(digest(shown), this.#secret);
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('the question is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function reply(response: ServerResponse, status: number, body: object): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
