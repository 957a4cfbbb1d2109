import { chmod } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { createServer } from '../lib/node-http.ts';
import type { Answers } from './answers.ts';
import { type LinkAddress, removeSocket, writeAddress } from './link-address.ts';
import { ADDRESS_HEADER, TIMEOUT_HEADER } from './link-headers.ts';
import { MAX_BODY_BYTES } from './transport.ts';

const HEADERS_MS = 10_000;

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * The internal server of a node, for other nodes only: it receives relayed sockets, and the questions of this machine's
 * processes. It listens on a socket that only this user's processes reach.
 */
export class LinkServer {
  readonly #server: Server;
  readonly #answers: Pick<Answers, 'reply'>;
  #upgrade: Upgrade | undefined;
  #address = '';

  constructor({ answers }: { readonly answers: Pick<Answers, 'reply'> }) {
    this.#answers = answers;
    this.#server = createServer({
      headersTimeout: HEADERS_MS,
      requestTimeout: HEADERS_MS,
      // Idle connections are closed by those who ask: one closed here just as a question is sent would lose it.
      keepAliveTimeout: 0,
    });
    this.#server.on('request', (request, response) => void this.#serve(request, response));
    this.#server.on('upgrade', (request, socket, head) => this.#pass(request, socket, head));
  }

  /** In the form that other nodes read; set once the server listens. */
  get address(): string {
    return this.#address;
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
    this.#address = writeAddress(address);
    if (process.platform !== 'win32') await chmod(address.path, 0o600);
  }

  /** Takes a stream from another machine for a connection. */
  accept(stream: Duplex): void {
    this.#server.emit('connection', stream);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
    await removeSocket(this.#address);
  }

  #pass(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    if (!this.#upgrade) {
      socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n');
      return;
    }
    const value = String(request.headers[ADDRESS_HEADER] ?? '');
    // Limits by address must apply to the client, not to the relaying node.
    Object.defineProperty(request.socket, 'remoteAddress', { value });
    delete request.headers[ADDRESS_HEADER];
    this.#upgrade(request, socket, head);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const { isError, json } = await this.#answers.reply(
      request.url?.slice(1) ?? '',
      () => readAll(request),
      { timeoutMs: Number(request.headers[TIMEOUT_HEADER]), gone: gone.signal },
    );
    request.resume();
    if (response.destroyed) return;
    response.writeHead(isError ? 500 : 200, { 'content-type': 'application/json' }).end(json);
  }
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A request that is destroyed in the middle takes no more bytes, and its asker would wait for the answer in vain.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('the question is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
