import type { FastifyInstance } from 'fastify';
import type { Clock, Timer } from '../ports/clock.ts';

const LOOK_MS = 50;

/**
 * Stops a server once what it is answering is answered. Node lets go of idle connections only at the moment of
 * closing: one that was in the middle of an answer then would be kept until its keep-alive time is over.
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
