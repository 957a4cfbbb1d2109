import pg from 'pg';
import { advisoryLocks } from '../advisory-locks.ts';
import { StoreUnavailableError, toStoreError } from '../errors.ts';
import { connectionConfig } from '../pool.ts';
import { DATABASE_USER } from './cluster.ts';
import { isAlive } from './is-alive.ts';

/** Connection settings of an embedded server, by its socket. */
export function embeddedConnection(socketDir: string) {
  return { host: socketDir, user: DATABASE_USER, database: 'postgres' };
}

/** The result of claiming a server. With `owner` it belongs to this service until that connection ends. */
export type Claim = { readonly owner: pg.Client } | 'taken' | 'not-ready';

/**
 * Claims the server for this service with a lock that lasts as long as the connection, so that a dead service releases
 * it. `taken` if another service uses the server.
 */
export async function claimServer(socketDir: string): Promise<Claim> {
  return asClient(socketDir, async (client) => {
    const { rows } = await client.query<{ free: boolean }>(
      'select pg_try_advisory_lock($1) as free',
      [advisoryLocks.embeddedOwner],
    );
    return rows[0]?.free ? { owner: client } : 'taken';
  });
}

/** The same for a server that another service has started: that service gets time to claim it first. */
export async function claimOrphan(
  socketDir: string,
  options: { readonly starterMayTake: boolean },
): Promise<Claim> {
  const claim = await asClient(socketDir, async (client) => {
    const { rows } = await client.query<{ starter: string; taken: boolean }>(
      `select current_setting('cluster_name') as starter,
        exists(select from pg_locks where locktype = 'advisory' and objid = $1) as taken`,
      [advisoryLocks.embeddedOwner],
    );
    if (rows[0]?.taken) return 'taken';
    const starting = options.starterMayTake && isAlive(Number(rows[0]?.starter));
    return starting ? 'not-ready' : 'free';
  });
  return claim === 'free' ? claimServer(socketDir) : claim;
}

/** Queries a server over a connection that is closed unless the answer contains it. */
async function asClient<Answer>(
  socketDir: string,
  ask: (client: pg.Client) => Promise<Answer>,
): Promise<Answer | 'not-ready'> {
  const client = new pg.Client(connectionConfig(embeddedConnection(socketDir)));
  // If the server dies, the exit of its process reports it.
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
