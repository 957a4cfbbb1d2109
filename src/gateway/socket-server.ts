import { Duplex, type Writable } from 'node:stream';
import fastifyWebsocket, { type WebsocketPluginOptions } from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import { type ServerOptions, WebSocket } from 'ws';
import { readDirectly } from '../lib/direct-reads.ts';

const GOING_AWAY = 1001;
const TOO_BIG = 1009;
const INTERNAL = 1011;
const GRACE_MS = 1000;

/**
 * A server socket that reads its messages without a stream's help, can hand several frames to the system at
 * once, and say a last word when `ws` itself closes it for a frame that is too big.
 */
export class MediaSocket extends WebSocket {
  tooBigNotice: string | undefined;
  #stream: Writable | undefined;
  #isGathering = false;

  /** It is open, on this stream: on it writes can be held back. A write to the system costs more than a frame. */
  openedOn(stream: Duplex, maxFrameBytes: number): void {
    this.#stream = stream;
    readDirectly(this, stream, { isMasked: true, maxPayloadBytes: maxFrameBytes });
  }

  /** What is sent from here to the end of this turn of the loop goes out together. */
  gather(): void {
    const stream = this.#stream;
    if (!stream || this.#isGathering) return;
    this.#isGathering = true;
    stream.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }

  override close(code?: number, reason?: string | Buffer): void {
    if (code === TOO_BIG && this.tooBigNotice && this.readyState === WebSocket.OPEN) {
      this.send(this.tooBigNotice);
    }
    super.close(code, reason);
  }
}

/** Has what is sent to this socket until the end of this turn of the loop go out together, where it can. */
export function gatherOn(socket: WebSocket): void {
  if (socket instanceof MediaSocket) socket.gather();
}

/** Adds WebSockets to the app, once and at its root, before any route that uses them. */
export async function registerSocketServer(
  app: FastifyInstance,
  options: { readonly maxFrameBytes: number },
): Promise<void> {
  await app.register(fastifyWebsocket, {
    options: {
      maxPayload: options.maxFrameBytes,
      // 50-70 us a frame, for audio that does not shrink.
      perMessageDeflate: false,
      WebSocket: MediaSocket,
      // Its type asks for the whole module where any subclass of the socket will do.
    } satisfies ServerOptions<typeof MediaSocket> as unknown as WebsocketPluginOptions['options'],
    // For errors of the socket `ws` has closed it already; this reaches the ones a handler threw.
    errorHandler(error, socket, request) {
      request.log.warn({ err: error }, 'socket failed');
      socket.close(INTERNAL);
    },
    preClose(done) {
      closeAll(this.websocketServer.clients);
      this.websocketServer.close();
      done();
    },
  });
  app.websocketServer.on('connection', (socket, { socket: stream }) => {
    // One that was injected has none.
    if (socket instanceof MediaSocket && stream instanceof Duplex)
      socket.openedOn(stream, options.maxFrameBytes);
  });
}

// The HTTP server waits for its sockets: one that does not answer the close must not hold up the exit.
function closeAll(clients: ReadonlySet<WebSocket>): void {
  for (const client of clients) client.close(GOING_AWAY, 'the service stops');
  if (clients.size === 0) return;
  const timer = setTimeout(() => {
    for (const client of clients) client.terminate();
  }, GRACE_MS);
  timer.unref();
}
