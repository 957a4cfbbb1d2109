import type { FastifyInstance } from 'fastify';
import type { Clock, Timer } from '../ports/clock.ts';

const LOOK_MS = 50;

/**
 * Closes a server after its open requests are answered. Node closes idle connections only at the moment of closing, so
 * a connection that was busy then would stay open until its keep-alive timeout; this closes it as soon as it is idle.
 */
export async function closeServer(
  server: Pick<FastifyInstance, 'close' | 'server'>,
  clock: Clock,
): Promise<void> {
  let timer: Timer;
  const look = () => {
    server.server.closeIdleConnections();
    timer = clock.setTimeout(look, LOOK_MS);
  };
  const closed = server.close();
  look();
  try {
    await closed;
  } finally {
    clock.clearTimeout(timer);
  }
}
