import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { json } from 'node:stream/consumers';
import { Agent, request } from '../lib/node-http.ts';
import { readAddress } from './link-address.ts';
import { TIMEOUT_HEADER } from './link-headers.ts';
import { OPEN_MS, type Reachable, type Reply, type Transport } from './transport.ts';

const MAX_SOCKETS = 32;
const IDLE_MS = 30_000;

/**
 * Reaches the other processes of this machine by HTTP over their sockets. A closed socket shows at once that a process
 * is dead.
 */
export class Link implements Transport {
  readonly #agent = new Agent({
    keepAlive: true,
    maxSockets: MAX_SOCKETS,
    timeout: IDLE_MS,
  });

  async ask(
    node: Reachable,
    subject: string,
    body: unknown,
    limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<unknown> {
    const response = await this.#send(node, subject, JSON.stringify(body ?? null), limits);
    const { answer, error } = (await json(response)) as Reply;
    if (response.statusCode !== 200) throw new Error(error ?? `status ${response.statusCode}`);
    return answer;
  }

  async open(node: Reachable): Promise<Duplex> {
    const onward = connect(readAddress(node.address));
    const timer = setTimeout(() => onward.destroy(new Error('no connection in time')), OPEN_MS);
    try {
      await new Promise<void>((resolve, reject) => {
        onward.once('connect', resolve).once('error', reject);
      });
      return onward;
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(
    node: Reachable,
    subject: string,
    body: string,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const asked = request({
        socketPath: readAddress(node.address).path,
        agent: this.#agent,
        method: 'POST',
        path: `/${subject}`,
        headers: {
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
