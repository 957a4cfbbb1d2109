import { Agent, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { NodeAwayError } from '../lib/node-away-error.ts';
import type { Bus, BusHandler } from '../ports/bus.ts';
import { readAddress } from './link-address.ts';
import { SECRET_HEADER, TIMEOUT_HEADER } from './link-headers.ts';
import type { LinkServer } from './link-server.ts';
import type { NodeDirectory, Reachable } from './node-directory.ts';

const TIMEOUT_MS = 5_000;
const MAX_ASKED = 512;
const MAX_SOCKETS = 32;

interface LinkDeps {
  readonly nodeId: string;
  readonly server: Pick<LinkServer, 'answer'>;
  readonly book: NodeDirectory;
}

/**
 * The bus over HTTP between processes. The same links carry relayed sockets, so a closed port shows at once that a
 * process is dead, and neither use waits for the database.
 */
export class Link implements Bus {
  readonly #deps: LinkDeps;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  #asked = 0;

  constructor(deps: LinkDeps) {
    this.#deps = deps;
  }

  get nodeId(): string {
    return this.#deps.nodeId;
  }

  answer(subject: string, handler: BusHandler): void {
    this.#deps.server.answer(subject, handler);
  }

  async ask(
    nodeId: string,
    subject: string,
    body: unknown,
    options: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {},
  ): Promise<unknown> {
    if (this.#asked >= MAX_ASKED) throw new NodeAwayError('too much is asked of other nodes');
    this.#asked++;
    try {
      const node = await this.#deps.book.find(nodeId);
      if (!node) throw new NodeAwayError(`the node ${nodeId} is gone`);
      return await this.#post(node, subject, body, options);
    } finally {
      this.#asked--;
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  async #post(
    node: Reachable,
    subject: string,
    body: unknown,
    { timeoutMs = TIMEOUT_MS, signal }: { timeoutMs?: number; signal?: AbortSignal },
  ): Promise<unknown> {
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const response = await this.#send(node, subject, JSON.stringify(body ?? null), {
        timeoutMs,
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      });
      const { answer, error } = (await json(response)) as { answer?: unknown; error?: string };
      if (response.statusCode !== 200) throw new Error(error ?? `status ${response.statusCode}`);
      return answer;
    } catch (error) {
      signal?.throwIfAborted();
      // Another process may have registered under this id with another address by now.
      this.#deps.book.forget(node.id);
      const reason = deadline.aborted ? `no answer in ${timeoutMs} ms` : (error as Error).message;
      throw new NodeAwayError(`the node ${node.id} did not do as asked: ${reason}`, {
        cause: error,
      });
    }
  }

  #send(
    node: Reachable,
    subject: string,
    body: string,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<IncomingMessage> {
    const address = readAddress(node.address);
    return new Promise((resolve, reject) => {
      const asked = request({
        ...('path' in address ? { socketPath: address.path } : address),
        agent: this.#agent,
        method: 'POST',
        path: `/${subject}`,
        headers: {
          [SECRET_HEADER]: node.secret,
          [TIMEOUT_HEADER]: timeoutMs,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
        signal,
      });
      asked.once('response', resolve).once('error', reject).end(body);
    });
  }
}
