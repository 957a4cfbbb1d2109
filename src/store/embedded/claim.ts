import pg from 'pg';
import { StoreUnavailableError, toStoreError } from '../errors.ts';
import { connectionConfig } from '../pool.ts';
import { DATABASE_USER } from './cluster.ts';
import { isAlive } from './is-alive.ts';

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
  return asClient(socketDir, async (client) => {
    const { rows } = await client.query<{ free: boolean }>(
      'select pg_try_advisory_lock($1) as free',
      [OWNER_LOCK],
    );
    return rows[0]?.free ? { owner: client } : 'taken';
  });
}

/** The same for a server that somebody else started, who is given time to take it first. */
export async function claimOrphan(
  socketDir: string,
  options: { readonly starterMayTake: boolean },
): Promise<Claim> {
  const claim = await asClient(socketDir, async (client) => {
    const { rows } = await client.query<{ starter: string; taken: boolean }>(
      `select current_setting('cluster_name') as starter,
        exists(select from pg_locks where locktype = 'advisory' and objid = $1) as taken`,
      [OWNER_LOCK],
    );
    if (rows[0]?.taken) return 'taken';
    const starting = options.starterMayTake && isAlive(Number(rows[0]?.starter));
    return starting ? 'not-ready' : 'free';
  });
  return claim === 'free' ? claimServer(socketDir) : claim;
}

/** Asks a server something over a connection that stays open only if the answer holds it. */
async function asClient<Answer>(
  socketDir: string,
  ask: (client: pg.Client) => Promise<Answer>,
): Promise<Answer | 'not-ready'> {
  const client = new pg.Client(connectionConfig(embeddedConnection(socketDir)));
  // Lost when the server dies, which its process tells us as well.
  client.on('error', () => undefined);
  let answer: Answer | undefined;
  try {
    await client.connect();
    answer = await ask(client);
    return answer;
  } catch (error) {
    const known = toStoreError(error);
    if (known instanceof StoreUnavailableError) return 'not-ready';
    throw known;
  } finally {
    if (typeof answer !== 'object') await client.end().catch(() => undefined);
  }
}
