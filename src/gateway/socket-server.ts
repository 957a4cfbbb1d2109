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
 * A server socket that reads messages directly instead of through a stream, can write several frames in one system
 * call, and can send a notice when `ws` itself closes it for an oversized frame.
 */
export class MediaSocket extends WebSocket {
  tooBigNotice: string | undefined;
  #stream: Writable | undefined;
  #isGathering = false;

  /**
   * Called once the socket is open on this stream. Corking the stream saves system calls, which cost more than a
   * frame.
   */
  openedOn(stream: Duplex, maxFrameBytes: number): void {
    this.#stream = stream;
    readDirectly(this, stream, { isMasked: true, maxPayloadBytes: maxFrameBytes });
  }

  /** Everything sent from here to the end of this event loop turn is written together. */
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

/** Writes everything sent to this socket until the end of this event loop turn together, where supported. */
export function gatherOn(socket: WebSocket): void {
  if (socket instanceof MediaSocket) socket.gather();
}

/** Adds WebSockets to the app; call it once, on the root, before any route that uses them. */
export async function registerSocketServer(
  app: FastifyInstance,
  options: { readonly maxFrameBytes: number },
): Promise<void> {
  await app.register(fastifyWebsocket, {
    options: {
      maxPayload: options.maxFrameBytes,
      // Compression costs 50-70 us a frame, and audio does not shrink.
      perMessageDeflate: false,
      WebSocket: MediaSocket,
      // The option's type asks for the whole module, although any subclass of the socket works.
    } satisfies ServerOptions<typeof MediaSocket> as unknown as WebsocketPluginOptions['options'],
    // `ws` has already closed the socket on its own errors; this handles errors thrown by a handler.
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
    // An injected socket (in tests) has no such stream.
    if (socket instanceof MediaSocket && stream instanceof Duplex)
      socket.openedOn(stream, options.maxFrameBytes);
  });
}

// The HTTP server waits for its sockets; one that does not answer the close must not delay the exit.
function closeAll(clients: ReadonlySet<WebSocket>): void {
  for (const client of clients) client.close(GOING_AWAY, 'the service stops');
  if (clients.size === 0) return;
  const timer = setTimeout(() => {
    for (const client of clients) client.terminate();
  }, GRACE_MS);
  timer.unref();
}
