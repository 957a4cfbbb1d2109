import type { Duplex } from 'node:stream';
import type { NodeRecord } from '../store/nodes.ts';

export type Reachable = Pick<NodeRecord, 'id' | 'serviceId' | 'place' | 'address'>;

/** One of the ways in which other nodes are reached. */
export interface Transport {
  /**
   * The other node's answer, parsed from JSON. Rejects if there is none, or when the signal aborts, which the other node
   * is told; `timeoutMs` is how long the signal lets it wait at most.
   */
  ask(
    node: Reachable,
    subject: string,
    body: unknown,
    limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<unknown>;
  /** A stream of bytes to the other node, which takes it for a connection to its own link server. */
  open(node: Reachable): Promise<Duplex>;
}

/** How long the other node may take to accept a stream. */
export const OPEN_MS = 3_000;
/** Longest question, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** What a node answers; absent `error`: it has done as asked. */
export interface Reply {
  readonly answer?: unknown;
  readonly error?: string;
}
