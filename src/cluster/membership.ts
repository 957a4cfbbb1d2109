import type { Clock, Timer } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Db } from '../store/db.ts';
import {
  asOnlySweeper,
  listNodes,
  type NodeRecord,
  registerNode,
  removeExpiredNodes,
  removeNodes,
  renewLease,
} from '../store/nodes.ts';
import { closeOrphanedCalls, settleEndedCalls } from '../store/orphaned-calls.ts';

interface EndedCall {
  readonly id: string;
  readonly teamId: string;
}

export interface MembershipDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly node: NodeRecord;
  /** True if another node is known to be dead before its lease expires. */
  readonly isDead: (node: NodeRecord) => boolean;
  /** Dead nodes were removed. */
  readonly onDead: (nodes: readonly NodeRecord[]) => Promise<void>;
  /** The open calls of dead nodes were ended. */
  readonly onOrphans: (calls: readonly EndedCall[]) => Promise<void>;
  /** Other nodes removed this node as dead: the records of its live calls may have been ended. */
  readonly onTakenForDead: () => void;
}

export const LEASE_MS = 15_000;
const BEAT_MS = 3_000;

/**
 * This process's registration among the nodes of its database: it renews its lease and ends the calls of dead nodes.
 */
export class Membership {
  readonly #deps: MembershipDeps;
  #timer: Timer | undefined;
  #beating: Promise<void> | undefined;
  #renewedAt = Number.NEGATIVE_INFINITY;
  /**
   * Start of the unbroken series of renewals. A node that could not renew its own lease must not declare others dead.
   */
  #steadySince = Number.POSITIVE_INFINITY;
  #stopped = false;
  #oldest = '';
  #siblings: readonly string[] = [];

  constructor(deps: MembershipDeps) {
    this.#deps = deps;
  }

  get id(): string {
    return this.#deps.node.id;
  }

  /**
   * The node that runs work meant for one node; while nodes join or leave, two nodes or none may match for a moment.
   */
  get oldest(): string {
    return this.#oldest;
  }

  /** The other nodes of the same service. */
  get siblings(): readonly string[] {
    return this.#siblings;
  }

  async join(): Promise<void> {
    const { db, node } = this.#deps;
    await registerNode(db, { node, leaseMs: LEASE_MS });
    this.#renewed();
    await this.lookAround();
    this.#arm();
  }

  /** Removes dead nodes and ends their calls, unless another node is doing so right now. */
  async sweep(): Promise<void> {
    const { db, clock, isDead, log } = this.#deps;
    const mayJudge = clock.now() - this.#steadySince >= LEASE_MS;
    const swept = await asOnlySweeper(db, async (tx) => {
      const others = (await listNodes(tx)).filter(({ id }) => id !== this.id);
      const gone = others.filter((node) => isDead(node)).map(({ id }) => id);
      await removeNodes(tx, { ids: gone });
      const expired = mayJudge ? await removeExpiredNodes(tx) : [];
      const dead = others.filter(({ id }) => gone.includes(id) || expired.includes(id));
      const calls = await closeOrphanedCalls(tx);
      await settleEndedCalls(tx);
      return { dead, calls };
    });
    if (!swept) return;
    if (swept.dead.length > 0) {
      log.warn({ nodes: swept.dead.map(({ id }) => id) }, 'nodes have died');
      // This node may be the oldest now.
      await this.lookAround();
      await this.#deps.onDead(swept.dead);
    }
    if (swept.calls.length === 0) return;
    log.warn({ calls: swept.calls.length }, 'calls of a dead node were ended');
    await this.#deps.onOrphans(swept.calls);
  }

  /** Call it after the last calls have been written. */
  async leave(): Promise<void> {
    this.#stopped = true;
    this.#deps.clock.clearTimeout(this.#timer);
    await this.#beating;
    await removeNodes(this.#deps.db, { ids: [this.id] }).catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'leaving the other nodes failed: the lease will end');
    });
  }

  #arm(): void {
    if (this.#stopped) return;
    this.#timer = this.#deps.clock.setTimeout(() => {
      this.#beating = this.#beat().finally(() => {
        this.#beating = undefined;
        this.#arm();
      });
    }, BEAT_MS);
  }

  async #beat(): Promise<void> {
    const { db, node, log } = this.#deps;
    try {
      if (!(await renewLease(db, { id: node.id, leaseMs: LEASE_MS }))) {
        log.error({ node: node.id }, 'other nodes took this node for dead');
        await registerNode(db, { node, leaseMs: LEASE_MS });
        this.#deps.onTakenForDead();
      }
      this.#renewed();
      await this.sweep();
      await this.lookAround();
    } catch (error) {
      log.warn({ err: error }, 'the lease of this node could not be renewed');
    }
  }

  /** Reads the other nodes outside the regular beat. */
  async lookAround(): Promise<void> {
    const others = (await listNodes(this.#deps.db)).filter(({ id }) => id !== this.id);
    this.#oldest = others.reduce((oldest, { id }) => (id < oldest ? id : oldest), this.id);
    this.#siblings = others
      .filter(({ serviceId }) => serviceId === this.#deps.node.serviceId)
      .map(({ id }) => id);
  }

  #renewed(): void {
    const now = this.#deps.clock.now();
    if (now - this.#renewedAt > LEASE_MS) this.#steadySince = now;
    this.#renewedAt = now;
  }
}
