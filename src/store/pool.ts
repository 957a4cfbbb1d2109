import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StoreUnavailableError, toStoreError } from './errors.ts';

/** How to reach the server: a URL, or a directory with its Unix socket. */
export type Connection =
  | { readonly connectionString: string }
  | { readonly host: string; readonly user: string; readonly database: string };

const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;
/** Longer than the server's own limit: it strikes only when the server has fallen silent. */
const SILENCE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 3_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000;
const IDLE_CONNECTION_MS = 60_000;
const RECONNECT_PATIENCE_MS = 3_000;
const RECONNECT_PAUSE_MS = 50;
const PING_TIMEOUT_MS = 2_000;

/** The settings of every connection, also of those outside the pool. */
export function connectionConfig(connection: Connection): pg.ClientConfig {
  return {
    ...connection,
    // Said here, so that no PGPASSWORD file is looked for on a socket that asks for none.
    ...('host' in connection ? { password: '', ssl: false } : {}),
    application_name: 'parley',
    options: '-c timezone=UTC',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  };
}

/** The connections of one process. A server that restarts is waited for; one that stays away is an error. */
export class ConnectionPool {
  readonly #pool: pg.Pool;
  #closing: Promise<void> | undefined;

  constructor(
    connection: Connection,
    options: { readonly size: number; readonly onLost: (error: Error) => void },
  ) {
    this.#pool = new pg.Pool({
      ...connectionConfig(connection),
      max: options.size,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: SILENCE_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    });
    this.#pool.on('error', options.onLost);
    // A connection that is lost while in use fails its query; the event says it once more.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** A connection, to be released by the caller; nothing was sent yet when this fails. */
  async connect(): Promise<pg.PoolClient> {
    const giveUpAt = performance.now() + RECONNECT_PATIENCE_MS;
    for (;;) {
      if (this.#closing) throw new StoreUnavailableError('the store is closed');
      try {
        return await this.#pool.connect();
      } catch (error) {
        const known = toStoreError(error);
        const again = known instanceof StoreUnavailableError && performance.now() < giveUpAt;
        if (!again) throw known;
        await delay(RECONNECT_PAUSE_MS);
      }
    }
  }

  /** Runs one statement on any connection. Drizzle calls this as it would a pool of the driver. */
  async query(config: pg.QueryConfig, values: unknown[]): Promise<pg.QueryResult> {
    const client = await this.connect();
    try {
      const result = await client.query(config, values);
      client.release();
      return result;
    } catch (error) {
      const known = toStoreError(error);
      client.release(known instanceof StoreUnavailableError);
      throw known;
    }
  }

  /** Rejects with {@link StoreUnavailableError} unless the server answers at once. */
  async ping(): Promise<void> {
    if (this.#closing) throw new StoreUnavailableError('the store is closed');
    const query = { text: 'select 1', query_timeout: PING_TIMEOUT_MS };
    try {
      await this.#pool.query(query);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /** Waits for running statements, each of which has its own deadline. */
  close(): Promise<void> {
    this.#closing ??= this.#pool.end();
    return this.#closing;
  }
}
