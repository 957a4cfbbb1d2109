import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Answers } from '../cluster/answers.ts';
import { Capacity } from '../cluster/capacity.ts';
import { ClusterBus } from '../cluster/cluster-bus.ts';
import { createClusterControl } from '../cluster/cluster-control.ts';
import { DeathNews } from '../cluster/death-news.ts';
import { HELP_TIMEOUT_MS, helpWithLease, type LeaseQuestion } from '../cluster/lease-help.ts';
import { type LeaseHelp, LeaseWatch } from '../cluster/lease-watch.ts';
import { Link } from '../cluster/link.ts';
import { linkAddress, removeSocket } from '../cluster/link-address.ts';
import { LinkServer } from '../cluster/link-server.ts';
import { AMONG_OTHERS, Membership } from '../cluster/membership.ts';
import type { BusAccess } from '../cluster/nats-connection.ts';
import { NodeDirectory } from '../cluster/node-directory.ts';
import { createNodeForSocket } from '../cluster/node-for-socket.ts';
import { isProcessGone, processPlace } from '../cluster/process-place.ts';
import { SocketRelay } from '../cluster/socket-relay.ts';
import type { Config } from '../config/config.ts';
import { uuidv7 } from '../lib/ids.ts';
import type { Bus } from '../ports/bus.ts';
import type { CallControl } from '../ports/call-control.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { isAlive } from '../store/embedded/is-alive.ts';
import type { LiveCalls } from './live-calls.ts';
import { recoverRecordings } from './recovery.ts';
import type { ServiceStore } from './service-store.ts';
import type { ClaimedAssignment } from './worker-assignment.ts';

interface NodeDeps {
  readonly store: Pick<ServiceStore, 'db' | 'recordingsDir' | 'callFiles'>;
  readonly live: Pick<LiveCalls, 'registry'>;
  /** True if no other service uses the database, so that nodes of other services are dead. */
  readonly soleService: boolean;
  /** Absent: this process is the whole service. */
  readonly assignment:
    | Pick<ClaimedAssignment, 'nodeId' | 'serviceId' | 'homeNodeId' | 'onDeath'>
    | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** This process among the nodes (processes) that share its database. */
export interface ServiceNode {
  readonly id: string;
  readonly bus: Bus;
  /** Controls calls on every node. */
  readonly control: CallControl;
  /** Room for more calls, here and in the other processes of this service. */
  readonly capacity: Capacity;
  /** Id of the oldest node, which does the work that only one node may do. */
  oldest(): string;
  /** Ids of the other processes of this service, as of the last heartbeat. */
  siblings(): readonly string[];
  /**
   * Calls this each time after dead nodes were removed by this one, and when one that left has ended; at once if that
   * has happened before.
   */
  afterDeaths(listener: () => void): void;
  /** Calls this with the calls of dead nodes that were ended because nobody came back to them. */
  onOrphans(listener: (calls: readonly { readonly id: string }[]) => Promise<void>): void;
  /** Calls this when a node, perhaps this one, is about to end and leaves its work to others. */
  onLeaving(listener: () => Promise<void>): void;
  /** Tells the other processes of the service that this one is about to end. False if none is there to take its calls. */
  beginLeaving(): Promise<boolean>;
  /** Breaks the sockets that are relayed here: their clients come back by another process. */
  stopRelaying(): void;
  /** Removes dead nodes, and ends their calls when nobody has come back for them in time. */
  sweep(): Promise<void>;
  /**
   * Relays sockets to the nodes they are meant for. Call it after the socket routes are registered, and what it returns
   * when the server listens: until then its routes answer nobody, and a socket from another node would wait in vain.
   */
  relaySockets(server: FastifyInstance): () => void;
  /** How many sockets are being relayed by this node. */
  relayed(): number;
  /** Resolves when no socket is being relayed. */
  relaysIdle(): Promise<void>;
  /** Signs this process off. Call it when its calls have been recorded. */
  leave(): Promise<void>;
}

const JOINED = 'joined';
const LEAVING = 'leaving';
const LEASE = 'lease';
const GREETING = { timeoutMs: 1000 };
/** It takes a look at the carriers' accounts. */
const LEAVING_WAIT = { timeoutMs: 3000 };

/** Makes this process known to the other nodes. */
export async function joinNodes(
  { busAccess, resumeSeconds }: Pick<Config, 'busAccess' | 'resumeSeconds'>,
  { store, live, soleService, assignment, clock, log }: NodeDeps,
): Promise<ServiceNode> {
  const { db } = store;
  const { registry } = live;
  const id = assignment?.nodeId ?? uuidv7();
  const serviceId = assignment?.serviceId ?? id;
  const place = await processPlace();
  const answers = new Answers({ log });
  const server = new LinkServer({ answers });
  await server.listen(await linkAddress(id));
  const link = new Link();
  const connectToNats = async (access: BusAccess) => {
    const { NatsTransport } = await import('../cluster/nats-transport.ts');
    const onStream = (stream: Duplex) => server.accept(stream);
    return NatsTransport.connect(access, { nodeId: id, answers, onStream, clock, log });
  };
  const nats = busAccess && (await connectToNats(busAccess));
  const directory = new NodeDirectory(db);
  const bus = new ClusterBus({
    nodeId: id,
    answers,
    directory,
    // The processes of one service need no server to reach one another.
    transportTo(node) {
      if (node.serviceId === serviceId) return link;
      return nats ?? (node.place === place ? link : undefined);
    },
  });
  const control = createClusterControl({ db, bus, local: registry, log });
  const isHere = (callId: string) => registry.find(callId) !== undefined;
  const capacity = new Capacity({ bus, siblings: () => membership.siblings, local: registry });
  const relay = new SocketRelay({
    bus,
    log,
    nodeFor: createNodeForSocket({
      db,
      isLeaving: (nodeId) => membership.isLeaving(nodeId),
      isHere,
      room: capacity,
      home: () => assignment?.homeNodeId(),
    }),
  });
  const deaths = new DeathNews();
  const orphanListeners: Parameters<ServiceNode['onOrphans']>[0][] = [];
  const leavingListeners: (() => Promise<void>)[] = [];
  const noteLeaving = async (nodeId: string) => {
    membership.leaves(nodeId);
    await Promise.all(leavingListeners.map((listener) => listener()));
  };
  const node = { id, serviceId, place, pid: process.pid, address: server.address };
  const resumeMs = resumeSeconds * 1000;
  const watch =
    nats &&
    new LeaseWatch({
      clock,
      log,
      resumeMs,
      // Not by the bus, which looks for nodes in the store.
      async ask(other) {
        const { leaseMs } = AMONG_OTHERS;
        const question: LeaseQuestion = { node, leaseMs, callIds: registry.callIds };
        const timeoutMs = HELP_TIMEOUT_MS;
        const signal = AbortSignal.timeout(timeoutMs);
        return (await nats.ask(other, LEASE, question, { timeoutMs, signal })) as LeaseHelp;
      },
      onLost: (callIds) => registry.lost(callIds),
      onCutOff: () => membership.letGo(registry.letGo()),
    });
  const membership: Membership = new Membership({
    db,
    clock,
    log,
    resumeMs,
    ...(watch ? { watch } : {}),
    node,
    isDead: (node) =>
      (soleService && node.serviceId !== serviceId) || isProcessGone(node, { place, isAlive }),
    onDead: async (dead) => {
      deaths.tell();
      for (const node of dead)
        if (isProcessGone(node, { place, isAlive })) await removeSocket(node.address);
    },
    onGone(ids) {
      for (const id of ids) {
        directory.forget(id);
        relay.drop(id);
        nats?.drop(id);
      }
    },
    onGivenUp: () => deaths.tell(),
    async onOrphans(calls) {
      const told = orphanListeners.map((listener) => listener(calls));
      await Promise.all([...told, recoverRecordings(store, calls, log)]);
    },
  });
  assignment?.onDeath((nodeId) => {
    membership.died(nodeId).catch((err: unknown) => {
      log.warn({ err, node: nodeId }, 'a dead node could not be removed: its lease will end');
    });
    // One that left has removed itself, and may have heard from a carrier what it could not act on any more.
    if (membership.isLeaving(nodeId)) deaths.tell();
  });
  const isSteady = () => membership.isSteady;
  bus.answer(LEASE, (question) =>
    helpWithLease({ db, clock, isSteady }, question as LeaseQuestion),
  );
  bus.answer(JOINED, () => membership.lookAround());
  bus.answer(LEAVING, async (nodeId) => {
    await noteLeaving(nodeId as string);
    return !registry.draining;
  });
  await membership.join();
  const greeted = membership.siblings.map((other) => bus.ask(other, JOINED, null, GREETING));
  // A node that does not answer finds this one at its next heartbeat.
  await Promise.allSettled(greeted);
  return {
    id,
    bus,
    control,
    oldest: () => membership.oldest,
    capacity,
    siblings: () => membership.siblings,
    afterDeaths: (listener) => deaths.listen(listener),
    onOrphans: (listener) => void orphanListeners.push(listener),
    onLeaving: (listener) => void leavingListeners.push(listener),
    async beginLeaving() {
      await membership.lookAround();
      const { siblings } = membership;
      const asked = membership.others.map(async (other) => {
        const takesCalls = await bus.ask(other, LEAVING, id, LEAVING_WAIT);
        return takesCalls === true && siblings.includes(other);
      });
      const answers = await Promise.allSettled(asked);
      if (!answers.some((one) => one.status === 'fulfilled' && one.value)) return false;
      await noteLeaving(id);
      return true;
    },
    stopRelaying: () => relay.close(),
    sweep: () => membership.sweep(),
    relaySockets(app) {
      const handle = relay.register(app.server);
      return () => server.onUpgrade(handle);
    },
    relayed: () => relay.size,
    relaysIdle: () => relay.idle(),
    async leave() {
      relay.close();
      await membership.leave();
      answers.close();
      link.close();
      await nats?.close();
      await server.close();
    },
  };
}
