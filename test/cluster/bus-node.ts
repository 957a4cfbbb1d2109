import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { Answers } from '../../src/cluster/answers.ts';
import { ClusterBus } from '../../src/cluster/cluster-bus.ts';
import { Link } from '../../src/cluster/link.ts';
import { linkAddress } from '../../src/cluster/link-address.ts';
import { LinkServer } from '../../src/cluster/link-server.ts';
import type { BusAccess } from '../../src/cluster/nats-connection.ts';
import { NatsTransport } from '../../src/cluster/nats-transport.ts';
import { SocketRelay } from '../../src/cluster/socket-relay.ts';
import type { Reachable } from '../../src/cluster/transport.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { systemClock } from '../../src/lib/system-clock.ts';

export const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** One process among others, as far as the bus goes. */
export interface BusNode {
  readonly id: string;
  readonly bus: ClusterBus;
  onUpgrade(upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void): void;
  close(): Promise<void>;
}

/** Joins the nodes of a directory; `access` absent: by the sockets of this machine. */
export async function openNode(
  directory: Map<string, Reachable>,
  access: BusAccess | undefined,
): Promise<BusNode> {
  const id = uuidv7();
  const answers = new Answers({ log: silent });
  const server = new LinkServer({ answers });
  await server.listen(await linkAddress(id));
  const link = new Link();
  const clock = systemClock;
  const nats =
    access &&
    (await NatsTransport.connect(access, {
      nodeId: id,
      answers,
      onStream: (stream) => server.accept(stream),
      clock,
      log: silent,
    }));
  const bus = new ClusterBus({
    nodeId: id,
    answers,
    directory: { find: async (other) => directory.get(other), forget: () => {} },
    transportTo: () => nats ?? link,
  });
  directory.set(id, { id, serviceId: id, place: 'here', address: server.address });
  let closing: Promise<void> | undefined;
  const close = async () => {
    answers.close();
    link.close();
    await nats?.close();
    await server.close();
  };
  return {
    id,
    bus,
    onUpgrade: (upgrade) => server.onUpgrade(upgrade),
    close: () => (closing ??= close()),
  };
}

/** A server whose sockets are all for another node. */
export async function relayTo(at: BusNode, nodeId: string) {
  const server = createServer();
  const relay = new SocketRelay({ bus: at.bus, log: silent, nodeFor: () => nodeId });
  relay.register(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** How many sockets are being relayed. */
    relayed: () => relay.size,
    async [Symbol.asyncDispose]() {
      relay.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
