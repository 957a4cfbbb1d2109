import type { Db } from '../store/db.ts';
import { findNode, type NodeRecord } from '../store/nodes.ts';

export type Reachable = Pick<NodeRecord, 'id' | 'address' | 'secret'>;

/** Where the other nodes are reached, remembered for as long as that turns out to be true. */
export class NodeDirectory {
  readonly #db: Db;
  readonly #known = new Map<string, Reachable>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Undefined: it is dead. */
  async find(nodeId: string): Promise<Reachable | undefined> {
    const known = this.#known.get(nodeId);
    if (known) return known;
    const found = await findNode(this.#db, { id: nodeId });
    if (found) this.#known.set(nodeId, found);
    return found;
  }

  /** It was not reached as remembered. */
  forget(nodeId: string): void {
    this.#known.delete(nodeId);
  }
}
