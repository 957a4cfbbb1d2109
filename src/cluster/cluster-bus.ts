import type { Duplex } from 'node:stream';
import { NodeAwayError } from '../lib/node-away-error.ts';
import type { Bus, BusHandler } from '../ports/bus.ts';
import type { Answers } from './answers.ts';
import type { NodeDirectory } from './node-directory.ts';
import type { Reachable, Transport } from './transport.ts';

const TIMEOUT_MS = 5_000;
const MAX_ASKED = 512;

interface ClusterBusDeps {
  readonly nodeId: string;
  readonly answers: Pick<Answers, 'set'>;
  readonly directory: Pick<NodeDirectory, 'find' | 'forget'>;
  /** The way to a node; undefined if there is none from here. */
  readonly transportTo: (node: Reachable) => Transport | undefined;
}

/** The bus between the nodes of a database, and streams of bytes between them; each node is reached in its own way. */
export class ClusterBus implements Bus {
  readonly #deps: ClusterBusDeps;
  #asked = 0;

  constructor(deps: ClusterBusDeps) {
    this.#deps = deps;
  }

  get nodeId(): string {
    return this.#deps.nodeId;
  }

  answer(subject: string, handler: BusHandler): void {
    this.#deps.answers.set(subject, handler);
  }

  async ask(
    nodeId: string,
    subject: string,
    body: unknown,
    options: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {},
  ): Promise<unknown> {
    const { timeoutMs = TIMEOUT_MS, signal } = options;
    signal?.throwIfAborted();
    if (this.#asked >= MAX_ASKED) throw new NodeAwayError('too much is asked of other nodes');
    this.#asked++;
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const [node, transport] = await this.#wayTo(nodeId);
      return await transport.ask(node, subject, body, {
        timeoutMs,
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      });
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof NodeAwayError) throw error;
      // Another process may have registered under this id with another address by now.
      this.#deps.directory.forget(nodeId);
      const reason = deadline.aborted ? `no answer in ${timeoutMs} ms` : (error as Error).message;
      throw new NodeAwayError(`the node ${nodeId} did not do as asked: ${reason}`, {
        cause: error,
      });
    } finally {
      this.#asked--;
    }
  }

  /** A stream of bytes to another node, as a connection to its link server; undefined when the node is dead. */
  async open(nodeId: string): Promise<Duplex | undefined> {
    const node = await this.#deps.directory.find(nodeId);
    if (!node) return undefined;
    const [, transport] = await this.#wayTo(nodeId);
    try {
      return await transport.open(node);
    } catch (error) {
      this.#deps.directory.forget(nodeId);
      throw error;
    }
  }

  async #wayTo(nodeId: string): Promise<readonly [Reachable, Transport]> {
    const node = await this.#deps.directory.find(nodeId);
    if (!node) throw new NodeAwayError(`the node ${nodeId} is gone`);
    const transport = this.#deps.transportTo(node);
    if (transport) return [node, transport];
    throw new NodeAwayError(`the node ${nodeId} is on another machine, and BUS_URL is not set`);
  }
}
