import pg from 'pg';
import { connectionConfig } from '../pool.ts';
import { DATABASE_USER } from './cluster.ts';

// Any number that nothing else locks.
const OWNER_LOCK = 7_230_003;

/** How to reach an embedded server by its socket. */
export function embeddedConnection(socketDir: string) {
  return { host: socketDir, user: DATABASE_USER, database: 'postgres' };
}

/**
 * Takes the server for this service: a lock that lives as long as our connection to it, so that a
 * service that died has let go. `taken` when another service lives on it.
 */
export async function claimServer(
  socketDir: string,
): Promise<{ readonly owner: pg.Client } | 'taken'> {
  const owner = new pg.Client(connectionConfig(embeddedConnection(socketDir)));
  // Lost when the server dies, which its process tells us as well.
  owner.on('error', () => undefined);
  await owner.connect();
  try {
    const { rows } = await owner.query<{ free: boolean }>(
      'select pg_try_advisory_lock($1) as free',
      [OWNER_LOCK],
    );
    if (rows[0]?.free) return { owner };
  } catch (error) {
    await owner.end();
    throw error;
  }
  await owner.end();
  return 'taken';
}

/** Whether the server was not ready yet, rather than broken. */
export function isNotReady(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === '57P03';
}
