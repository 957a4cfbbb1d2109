import type { Clock, Timer } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Db } from '../store/db.ts';
import {
  asOnlySweeper,
  type ListedNode,
  listNodes,
  type NodeRecord,
  registerNode,
  removeNodes,
} from '../store/nodes.ts';
import {
  closeOrphanedCalls,
  giveUpCalls,
  keepNode,
  removeDeadNodes,
  settleEndedCalls,
} from '../store/orphaned-calls.ts';
import type { LeaseWatch } from './lease-watch.ts';

interface EndedCall {
  readonly id: string;
  readonly teamId: string;
}

export interface MembershipDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly node: NodeRecord;
  /** How long the calls of a dead node wait for their callers to come back. */
  readonly resumeMs: number;
  /** Learns of each renewal. Absent: there is no bus on which other machines could be asked. */
  readonly watch?: Pick<LeaseWatch, 'isHelped' | 'knows' | 'renewed' | 'close'>;
  /** True if another node is known to be dead before its lease expires. */
  readonly isDead: (node: NodeRecord) => boolean;
  /** Dead nodes were removed. */
  readonly onDead: (nodes: readonly NodeRecord[]) => Promise<void>;
  /** Nodes that were there before are not registered any more. */
  readonly onGone: (ids: readonly string[]) => void;
  /** Calls that this node had let go of were given up. */
  readonly onGivenUp: () => void;
  /** Calls of dead nodes were ended, whose callers did not come back. */
  readonly onOrphans: (calls: readonly EndedCall[]) => Promise<void>;
}

/** How long a node may be silent, and how often it gives a sign. A lone node is missed by none. */
interface Rhythm {
  readonly leaseMs: number;
  readonly beatMs: number;
}

/** A machine that died is noticed a beat after its lease, within 1.9 s. */
export const AMONG_OTHERS: Rhythm = { leaseMs: 1_500, beatMs: 400 };
/** Shorter than a carrier waits for an answer: the call of a lone machine that died may come to a new one. */
export const ALONE: Rhythm = { leaseMs: 8_000, beatMs: 2_000 };
/** More time for a process of the same machine, whose death is seen without a lease. */
export const NEIGHBOUR_GRACE_MS = 10_000;
/** A connection that was cut fails only after many seconds: by then the next beat has renewed the lease by another. */
export const BEAT_TIMEOUT_MS = 3_000;

/**
 * This process's registration among the nodes of its database: it renews its lease, and removes dead nodes and in time
 * their calls.
 */
export class Membership {
  readonly #deps: MembershipDeps;
  #timer: Timer | undefined;
  #beating: Promise<void> | undefined;
  /** What follows from ended calls. */
  #following: Promise<void> = Promise.resolve();
  #renewedAt = Number.NEGATIVE_INFINITY;
  /**
   * Start of the unbroken series of renewals. A node that could not renew its own lease must not declare others dead.
   */
  #steadySince = Number.POSITIVE_INFINITY;
  #stopped = false;
  #siblings: readonly string[] = [];
  #others: readonly ListedNode[] = [];
  #isOneOverdue = false;
  #rhythm = ALONE;
  #beats = 0;
  readonly #knownDead = new Set<string>();
  /** Nodes that are about to end, perhaps this one. */
  readonly #leaving = new Set<string>();
  /** Calls that this node has let go of, and has not given up in the store yet. */
  readonly #letGo = new Set<string>();

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
    const { node, watch } = this.#deps;
    const all = [{ id: node.id, isCutOff: watch?.isHelped ?? false }, ...this.#others]
      .filter(({ id }) => !this.#leaving.has(id))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return (all.find(({ isCutOff }) => !isCutOff) ?? all[0])?.id ?? this.id;
  }

  /** The other nodes of the same service. */
  get siblings(): readonly string[] {
    return this.#siblings;
  }

  /** All other nodes. */
  get others(): readonly string[] {
    return this.#others.map(({ id }) => id);
  }

  /** True if this node has renewed its own lease: only then it can renew that of another. */
  get isSteady(): boolean {
    return !this.#stopped && this.#deps.clock.now() - this.#renewedAt <= this.#rhythm.leaseMs;
  }

  /** The node goes on with these calls no more: it gives them up in the store as soon as that can be reached. */
  letGo(callIds: readonly string[]): void {
    for (const id of callIds) this.#letGo.add(id);
  }

  /** The node is about to end: it does no work that is meant for one node. */
  leaves(id: string): void {
    this.#leaving.add(id);
  }

  isLeaving(id: string): boolean {
    return this.#leaving.has(id);
  }

  async join(): Promise<void> {
    const { db, node } = this.#deps;
    await registerNode(db, { node, leaseMs: ALONE.leaseMs });
    this.#renewed();
    await this.lookAround();
    this.#arm();
  }

  /** The process of another node has ended, as its parent says. */
  async died(id: string): Promise<void> {
    this.#knownDead.add(id);
    await this.sweep();
  }

  /** Removes dead nodes, and ends calls whose callers have not come back, unless another node is doing so right now. */
  async sweep(): Promise<void> {
    await this.#sweepStore();
    await this.#following;
  }

  async #sweepStore(): Promise<void> {
    const { db, clock, isDead, resumeMs, log } = this.#deps;
    const mayJudge = clock.now() - this.#steadySince >= this.#rhythm.leaseMs;
    const swept = await asOnlySweeper(db, async (tx) => {
      const others = (await listNodes(tx)).filter(({ id }) => id !== this.id);
      const gone = others
        .filter((node) => this.#knownDead.has(node.id) || isDead(node))
        .map(({ id }) => id);
      const { place } = this.#deps.node;
      const expired = { place, graceMs: NEIGHBOUR_GRACE_MS };
      const removed = await removeDeadNodes(tx, {
        ids: gone,
        endedNow: this.#knownDead,
        ...(mayJudge ? { expired } : {}),
      });
      const dead = others.filter(({ id }) => removed.includes(id));
      const calls = await closeOrphanedCalls(tx, { waitMs: resumeMs });
      await settleEndedCalls(tx);
      return { dead, calls };
    });
    if (!swept) return;
    if (swept.calls.length > 0) this.#follow(swept.calls);
    if (swept.dead.length > 0) {
      log.warn({ nodes: swept.dead.map(({ id }) => id) }, 'nodes have died');
      // This node may be the oldest now.
      await this.lookAround();
      await this.#deps.onDead(swept.dead);
    }
  }

  /** Does what follows from ended calls, one sweep's after the other's. */
  #follow(calls: readonly EndedCall[]): void {
    const { log, onOrphans } = this.#deps;
    log.warn({ calls: calls.length }, 'calls of a dead node were ended: nobody came back');
    this.#following = this.#following
      .then(() => onOrphans(calls))
      .catch((err: unknown) => log.error({ err }, 'calls of a dead node were not wound up'));
  }

  /** Call it after the last calls have been written. */
  async leave(): Promise<void> {
    this.#stopped = true;
    this.#deps.clock.clearTimeout(this.#timer);
    this.#deps.watch?.close();
    await this.#beating;
    await this.#following;
    await removeNodes(this.#deps.db, { ids: [this.id] }).catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'leaving the other nodes failed: the lease will end');
    });
  }

  #arm(): void {
    this.#deps.clock.clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#timer = this.#deps.clock.setTimeout(() => {
      this.#beating = this.#beatInTime().finally(() => {
        this.#beating = undefined;
        this.#arm();
      });
    }, this.#rhythm.beatMs);
  }

  async #beatInTime(): Promise<void> {
    const { clock, log } = this.#deps;
    const late = Promise.withResolvers<never>();
    const timer = clock.setTimeout(
      () => late.reject(new Error(`the store did not answer in ${BEAT_TIMEOUT_MS} ms`)),
      BEAT_TIMEOUT_MS,
    );
    try {
      await Promise.race([this.#beat(), late.promise]);
    } catch (error) {
      log.warn({ err: error }, 'the lease of this node could not be renewed');
    } finally {
      clock.clearTimeout(timer);
    }
  }

  async #beat(): Promise<void> {
    const { db, node, log } = this.#deps;
    const { leaseMs } = this.#rhythm;
    await this.#giveUp();
    // One that was late may end after the node has left.
    const kept = await keepNode(db, { node, leaseMs, isWanted: () => !this.#stopped });
    if (kept === 'registered-anew')
      log.warn({ node: node.id }, 'other nodes took this node for dead');
    if (this.#stopped) return;
    this.#renewed();
    await this.lookAround();
    // What follows is not awaited: recordings may take long to repair, and the lease has to be renewed meanwhile.
    if (this.#isOurTurn() || this.#isOneOverdue) await this.#sweepStore();
  }

  async #giveUp(): Promise<void> {
    const ids = [...this.#letGo];
    if (ids.length === 0) return;
    await giveUpCalls(this.#deps.db, { ids, nodeId: this.id });
    for (const id of ids) this.#letGo.delete(id);
    this.#deps.onGivenUp();
  }

  /**
   * Each node sweeps once in as many beats as there are nodes: together they do so once a beat on average. Only for the
   * death of another they do not wait for their turn.
   */
  #isOurTurn(): boolean {
    const place = this.#others.filter(({ id }) => id < this.id).length;
    return (this.#beats++ + place) % (this.#others.length + 1) === 0;
  }

  /** Reads the other nodes outside the regular beat. */
  async lookAround(): Promise<void> {
    const others = (await listNodes(this.#deps.db)).filter(({ id }) => id !== this.id);
    const isAlone = others.length === 0;
    if (isAlone !== (this.#rhythm === ALONE)) this.#changeRhythm(isAlone ? ALONE : AMONG_OTHERS);
    const ids = new Set(others.map(({ id }) => id));
    for (const id of this.#knownDead) if (!ids.has(id)) this.#knownDead.delete(id);
    for (const id of this.#leaving) if (!ids.has(id) && id !== this.id) this.#leaving.delete(id);
    const gone = this.others.filter((id) => !ids.has(id));
    this.#others = others;
    const { place: here } = this.#deps.node;
    this.#deps.watch?.knows(others.filter(({ place }) => place !== here));
    this.#isOneOverdue = others.some(
      ({ place, overdueMs }) => overdueMs > (place === here ? NEIGHBOUR_GRACE_MS : 0),
    );
    if (gone.length > 0) this.#deps.onGone(gone);
    this.#siblings = others
      .filter(({ serviceId }) => serviceId === this.#deps.node.serviceId)
      .map(({ id }) => id);
  }

  #changeRhythm(rhythm: Rhythm): void {
    this.#rhythm = rhythm;
    if (!this.#beating) this.#arm();
  }

  #renewed(): void {
    const now = this.#deps.clock.now();
    // A busy process is late now and then; a database that was away, or a machine that slept, shows as more than that.
    if (now - this.#renewedAt > 2 * this.#rhythm.leaseMs) this.#steadySince = now;
    this.#renewedAt = now;
    this.#deps.watch?.renewed();
  }
}
