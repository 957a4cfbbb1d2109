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
import { newToken, uuidv7 } from '../lib/ids.ts';
import type { Bus } from '../ports/bus.ts';
import type { CallControl } from '../ports/call-control.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { SessionRegistry } from '../session/registry.ts';
import type { Session } from '../session/session.ts';
import type { Db } from '../store/db.ts';
import { isAlive } from '../store/embedded/is-alive.ts';
import { recoverRecordings } from './recovery.ts';
import type { ClaimedAssignment } from './worker-assignment.ts';

interface NodeDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly recordingsDir: string;
  /** An address of this machine that the others on the database reach; absent where there are none. */
  readonly host: string | undefined;
  /** No other service has this database, so that what is not of this one is dead. */
  readonly soleService: boolean;
  readonly registry: SessionRegistry<Session>;
  /** Absent: the service is this process. */
  readonly seat: Pick<ClaimedAssignment, 'nodeId' | 'serviceId' | 'homeNodeId'> | undefined;
}

/** This process as one of those on its database. */
export interface ServiceNode {
  readonly id: string;
  readonly bus: Bus;
  /** Steers calls of every node. */
  readonly control: CallControl;
  /** For more calls, here or in the other processes of this service. */
  readonly room: Capacity;
  /** For what only one node of the database does. */
  oldest(): string;
  /** The other processes of this service, as of a moment ago. */
  siblings(): readonly string[];
  /** Ends the calls of dead nodes. */
  sweep(): Promise<void>;
  /** Passes the server's sockets on to the nodes they are for; after whatever takes them is registered. */
  relaySockets(server: FastifyInstance): void;
  /** Resolves when no socket is being passed on. */
  relaysIdle(): Promise<void>;
  /** After the last word of its calls. */
  leave(): Promise<void>;
}

const JOINED = 'joined';
const GREETING = { timeoutMs: 1000 };

/** Makes this process known to the others on its database. */
export async function joinNodes(deps: NodeDeps): Promise<ServiceNode> {
  const { db, log, registry, seat } = deps;
  const id = seat?.nodeId ?? uuidv7();
  const serviceId = seat?.serviceId ?? id;
  const secret = newToken();
  const server = new LinkServer({ secret, log });
  await server.listen(await linkAddress(id, deps.host));
  const book = new NodeDirectory(db);
  const bus = new Link({ nodeId: id, server, book });
  const control = createClusterControl({ db, bus, local: registry });
  const isHere = (callId: string) => registry.find(callId) !== undefined;
  const room = new Capacity({ bus, siblings: () => membership.siblings, local: registry });
  const relay = new SocketRelay({
    nodeId: id,
    book,
    log,
    nodeFor: createNodeForSocket({ db, isHere, room, home: () => seat?.homeNodeId() }),
  });
  const place = await processPlace();
  const membership: Membership = new Membership({
    ...deps,
    node: { id, serviceId, place, pid: process.pid, address: server.address, secret },
    isDead: (node) =>
      (deps.soleService && node.serviceId !== serviceId) || isProcessGone(node, { place, isAlive }),
    onDead: async (dead) => {
      for (const node of dead) {
        book.forget(node.id);
        if (node.place === place) await removeSocket(node.address);
      }
    },
    onOrphans: (calls) => recoverRecordings(deps, calls),
    onTakenForDead: () => registry.endAll('service-restarted'),
  });
  bus.answer(JOINED, () => membership.lookAround());
  await membership.join();
  const greeted = membership.siblings.map((other) => bus.ask(other, JOINED, null, GREETING));
  // Who did not hear of it sees it at the next beat.
  await Promise.allSettled(greeted);
  return {
    id,
    bus,
    control,
    oldest: () => membership.oldest,
    room,
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
