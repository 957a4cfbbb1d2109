import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StoreUnavailableError, toStoreError } from './errors.ts';

/** How to reach the server: a URL, or a directory with its Unix socket. */
export type Connection =
  | { readonly connectionString: string }
  | { readonly host: string; readonly user: string; readonly database: string };

/** How long the database may take before it counts as away. */
export interface PoolLimits {
  /** For a new connection, or a free one. */
  readonly connectMs: number;
  /** For one statement, as the server sees it. */
  readonly statementMs: number;
  /** For the answer to one statement: longer, so that it strikes only when the server has fallen silent. */
  readonly silenceMs: number;
  /** For a server that restarts to be back. */
  readonly reconnectMs: number;
}

const DEFAULT_LIMITS = {
  connectMs: 5_000,
  statementMs: 10_000,
  silenceMs: 13_000,
  reconnectMs: 3_000,
} as const satisfies PoolLimits;

const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000;
const IDLE_CONNECTION_MS = 60_000;
const RECONNECT_PAUSE_MS = 50;
const PING_TIMEOUT_MS = 2_000;

/** The settings of every connection, also of those outside the pool. */
export function connectionConfig(connection: Connection): pg.ClientConfig {
  return {
    ...connection,
    // Said here, so that no PGPASSWORD file is looked for on a socket that asks for none.
    ...('host' in connection ? { password: '', ssl: false } : {}),
    application_name: 'parley',
    options: '-c timezone=UTC -c datestyle=ISO',
    connectionTimeoutMillis: DEFAULT_LIMITS.connectMs,
    keepAlive: true,
  };
}

/** The connections of one process. A server that restarts is waited for; one that stays away is an error. */
export class ConnectionPool {
  readonly #pool: pg.Pool;
  readonly #limits: PoolLimits;
  #closing: Promise<void> | undefined;

  constructor(
    connection: Connection,
    options: {
      readonly size: number;
      readonly onLost: (error: Error) => void;
      /** @defaultValue DEFAULT_LIMITS */
      readonly limits?: PoolLimits | undefined;
    },
  ) {
    const limits = options.limits ?? DEFAULT_LIMITS;
    this.#limits = limits;
    this.#pool = new pg.Pool({
      ...connectionConfig(connection),
      connectionTimeoutMillis: limits.connectMs,
      max: options.size,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
      statement_timeout: limits.statementMs,
      query_timeout: limits.silenceMs,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    });
    this.#pool.on('error', options.onLost);
    // A connection that is lost while in use fails its query; the event says it once more.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** A connection, to be released by the caller; nothing was sent yet when this fails. */
  async connect(): Promise<pg.PoolClient> {
    const giveUpAt = performance.now() + this.#limits.reconnectMs;
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
