import type { Db } from '../store/db.ts';
import { findNode } from '../store/nodes.ts';
import type { Reachable } from './transport.ts';

/** Caches the addresses of other nodes until one turns out to be wrong. */
export class NodeDirectory {
  readonly #db: Db;
  readonly #known = new Map<string, Reachable>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Undefined when the node is dead. */
  async find(nodeId: string): Promise<Reachable | undefined> {
    const known = this.#known.get(nodeId);
    if (known) return known;
    const found = await findNode(this.#db, { id: nodeId });
    if (found) this.#known.set(nodeId, found);
    return found;
  }

  /** The node could not be reached at the cached address. */
  forget(nodeId: string): void {
    this.#known.delete(nodeId);
  }
}
