import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections, and to servers which ask for any. */
const FROM = 10_000;
const TO = 32_000;
const ATTEMPTS = 100;

/** A port of this machine that nothing listens on, and that stays free while a server which had it is away. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(FROM, TO);
    const server = createServer();
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue;
      throw error;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error(`none of ${ATTEMPTS} ports was free`);
}
