import pg from 'pg';
import { StoreUnavailableError, toStoreError } from '../errors.ts';
import { connectionConfig } from '../pool.ts';
import { DATABASE_USER } from './cluster.ts';

// Any number that nothing else locks.
const OWNER_LOCK = 7_230_003;

/** How to reach an embedded server by its socket. */
export function embeddedConnection(socketDir: string) {
  return { host: socketDir, user: DATABASE_USER, database: 'postgres' };
}

/** What came of trying to take a server: it is ours until the connection ends; or not, or not yet. */
export type Claim = { readonly owner: pg.Client } | 'taken' | 'not-ready';

/**
 * Takes the server for this service: a lock that lives as long as our connection to it, so that a
 * service that died has let go. `taken` when another service lives on it.
 */
export async function claimServer(socketDir: string): Promise<Claim> {
  const owner = new pg.Client(connectionConfig(embeddedConnection(socketDir)));
  // Lost when the server dies, which its process tells us as well.
  owner.on('error', () => undefined);
  try {
    await owner.connect();
    const { rows } = await owner.query<{ free: boolean }>(
      'select pg_try_advisory_lock($1) as free',
      [OWNER_LOCK],
    );
    if (rows[0]?.free) return { owner };
    await owner.end();
    return 'taken';
  } catch (error) {
    await owner.end().catch(() => undefined);
    const known = toStoreError(error);
    if (known instanceof StoreUnavailableError) return 'not-ready';
    throw known;
  }
}
