import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '../ports/log.ts';
import type { ClusterBus } from './cluster-bus.ts';
import { ADDRESS_HEADER } from './link-headers.ts';

interface RelayDeps {
  readonly bus: Pick<ClusterBus, 'nodeId' | 'open'>;
  readonly log: Log;
  /** The node for a socket, by its URL; undefined: any node will do. */
  readonly nodeFor: (url: URL) => Promise<string | undefined> | string | undefined;
}

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

const MAX_RELAYED = 2_000;

/** Relays sockets that arrived at the wrong process to the right one, byte for byte; neither end notices. */
export class SocketRelay {
  readonly #deps: RelayDeps;
  /** The relayed sockets, each with the id of its node. */
  readonly #relayed = new Map<Duplex, string>();
  #onIdle: (() => void) | undefined;

  constructor(deps: RelayDeps) {
    this.#deps = deps;
  }

  /** Replaces the server's current upgrade listeners; returns the entry for relayed sockets. */
  register(server: Server): Upgrade {
    const listeners = server.listeners('upgrade') as Upgrade[];
    const handle: Upgrade = (...upgrade) => {
      for (const listener of listeners) listener.apply(server, upgrade);
    };
    server.removeAllListeners('upgrade');
    server.on(
      'upgrade',
      (request, socket, head) => void this.#route(request, socket, head, handle),
    );
    return handle;
  }

  /** How many sockets are being relayed. */
  get size(): number {
    return this.#relayed.size;
  }

  /** Resolves when no socket is being relayed. */
  async idle(): Promise<void> {
    if (this.#relayed.size > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }

  close(): void {
    for (const socket of this.#relayed.keys()) socket.destroy();
  }

  /** The node is gone: its clients should come back to another at once, whatever its own sockets say. */
  drop(nodeId: string): void {
    for (const [socket, id] of this.#relayed) if (id === nodeId) socket.destroy();
  }

  async #route(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    handle: Upgrade,
  ): Promise<void> {
    const lost = () => socket.destroy();
    socket.on('error', lost);
    try {
      const nodeId = await this.#nodeFor(request);
      const isFull = this.#relayed.size >= MAX_RELAYED;
      // Undefined as well when its node is gone: its token is unknown here.
      const onward = nodeId && !isFull ? await this.#deps.bus.open(nodeId) : undefined;
      if (nodeId && isFull) refuse(socket);
      else if (nodeId && onward) this.#pass(nodeId, onward, request, socket, head);
      else {
        socket.off('error', lost);
        if (!socket.destroyed) handle(request, socket, head);
      }
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'a socket could not be relayed to its process');
      refuse(socket);
    }
  }

  /** Undefined: the socket is for this process. */
  async #nodeFor({ url = '/' }: IncomingMessage): Promise<string | undefined> {
    const parsed = URL.parse(url, 'http://node');
    const nodeId = parsed && (await this.#deps.nodeFor(parsed));
    return nodeId && nodeId !== this.#deps.bus.nodeId ? nodeId : undefined;
  }

  #pass(
    nodeId: string,
    onward: Duplex,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): void {
    if (socket.destroyed) {
      onward.destroy();
      return;
    }
    this.#relayed.set(socket, nodeId);
    socket.once('close', () => {
      onward.destroy();
      this.#relayed.delete(socket);
      if (this.#relayed.size === 0) this.#onIdle?.();
    });
    onward.once('close', () => socket.destroy());
    onward.on('error', () => onward.destroy());
    onward.write(headOf(request));
    onward.write(head);
    socket.pipe(onward).pipe(socket);
  }
}

function headOf({ method, url, rawHeaders, socket }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`, `${ADDRESS_HEADER}: ${socket.remoteAddress ?? ''}`];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    // Clients must not set this header.
    if (name.toLowerCase() !== ADDRESS_HEADER) lines.push(`${name}: ${rawHeaders[i + 1]}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

function refuse(socket: Duplex): void {
  socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 1\r\n\r\n');
}
