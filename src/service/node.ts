import type { FastifyInstance } from 'fastify';
import { Capacity } from '../cluster/capacity.ts';
import { createClusterControl } from '../cluster/cluster-control.ts';
import { Link } from '../cluster/link.ts';
import { linkAddress, removeSocket } from '../cluster/link-address.ts';
import { LinkServer } from '../cluster/link-server.ts';
import { Membership } from '../cluster/membership.ts';
import { NodeDirectory } from '../cluster/node-directory.ts';
import { createNodeForSocket } from '../cluster/node-for-socket.ts';
import { isProcessGone, processPlace } from '../cluster/process-place.ts';
import { SocketRelay } from '../cluster/socket-relay.ts';
import type { Config } from '../config/config.ts';
import { newToken, uuidv7 } from '../lib/ids.ts';
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
  readonly store: Pick<ServiceStore, 'db' | 'recordingsDir'>;
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
  /** Removes dead nodes, and ends their calls when nobody has come back for them in time. */
  sweep(): Promise<void>;
  /** Relays sockets to the nodes they are meant for. Call it after the socket routes are registered. */
  relaySockets(server: FastifyInstance): void;
  /** Resolves when no socket is being relayed. */
  relaysIdle(): Promise<void>;
  /** Signs this process off. Call it when its calls have been recorded. */
  leave(): Promise<void>;
}

const JOINED = 'joined';
const GREETING = { timeoutMs: 1000 };

/** Makes this process known to the other nodes. */
export async function joinNodes(
  { nodeHost, resumeSeconds }: Pick<Config, 'nodeHost' | 'resumeSeconds'>,
  { store, live, soleService, assignment, clock, log }: NodeDeps,
): Promise<ServiceNode> {
  const { db } = store;
  const { registry } = live;
  const id = assignment?.nodeId ?? uuidv7();
  const serviceId = assignment?.serviceId ?? id;
  const secret = newToken();
  const server = new LinkServer({ secret, log });
  await server.listen(await linkAddress(id, nodeHost));
  const directory = new NodeDirectory(db);
  const bus = new Link({ nodeId: id, server, book: directory });
  const control = createClusterControl({ db, bus, local: registry });
  const isHere = (callId: string) => registry.find(callId) !== undefined;
  const capacity = new Capacity({ bus, siblings: () => membership.siblings, local: registry });
  const relay = new SocketRelay({
    nodeId: id,
    book: directory,
    log,
    nodeFor: createNodeForSocket({
      db,
      isHere,
      room: capacity,
      home: () => assignment?.homeNodeId(),
    }),
  });
  const place = await processPlace();
  const membership: Membership = new Membership({
    db,
    clock,
    log,
    resumeMs: resumeSeconds * 1000,
    node: { id, serviceId, place, pid: process.pid, address: server.address, secret },
    isDead: (node) =>
      (soleService && node.serviceId !== serviceId) || isProcessGone(node, { place, isAlive }),
    onDead: async (dead) => {
      for (const node of dead)
        if (isProcessGone(node, { place, isAlive })) await removeSocket(node.address);
    },
    onGone(ids) {
      for (const id of ids) {
        directory.forget(id);
        relay.drop(id);
      }
    },
    onOrphans: (calls) => recoverRecordings(store, calls, log),
  });
  assignment?.onDeath((nodeId) => {
    membership.died(nodeId).catch((err: unknown) => {
      log.warn({ err, node: nodeId }, 'a dead node could not be removed: its lease will end');
    });
  });
  bus.answer(JOINED, () => membership.lookAround());
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
    sweep: () => membership.sweep(),
    relaySockets: (app) => server.onUpgrade(relay.register(app.server)),
    relaysIdle: () => relay.idle(),
    async leave() {
      relay.close();
      await membership.leave();
      bus.close();
      await server.close();
    },
  };
}
