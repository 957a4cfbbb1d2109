import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { loopRecorder } from '../lib/loop-recorder.ts';
import { StoreUnavailableError, toStoreError } from './errors.ts';

/** A database server, by its URL or the folder of its Unix socket. */
export type Connection =
  | { readonly connectionString: string }
  | { readonly host: string; readonly user: string; readonly database: string };

/** Timeouts after which the database counts as unavailable. */
export interface PoolLimits {
  /** To open a connection or wait for a free one. */
  readonly connectMs: number;
  /** For one statement, enforced by the server. */
  readonly statementMs: number;
  /** For the response to one statement: longer, so that it applies only if the server has stopped responding. */
  readonly silenceMs: number;
  /** For a restarting server to become available. */
  readonly reconnectMs: number;
}

const DEFAULT_LIMITS = {
  connectMs: 5_000,
  statementMs: 10_000,
  silenceMs: 13_000,
  reconnectMs: 3_000,
} as const satisfies PoolLimits;

/** A process that freezes within a transaction keeps its locks so long, and others from taking over its calls. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 3_000;
const IDLE_CONNECTION_MS = 60_000;
const KEEPALIVE_SECONDS = 10;
const KEEPALIVE = `-c tcp_keepalives_idle=${KEEPALIVE_SECONDS} -c tcp_keepalives_interval=5 -c tcp_keepalives_count=4`;
const RECONNECT_PAUSE_MS = 50;
const PING_TIMEOUT_MS = 2_000;

/** Settings of every connection, inside and outside the pool. */
export function connectionConfig(connection: Connection): pg.ClientConfig {
  return {
    ...connection,
    // Set explicitly, so that the driver does not look for a password file.
    ...('host' in connection ? { password: '', ssl: false } : {}),
    application_name: 'parley',
    // The server gives up a connection whose process is gone without a word: they would use up its places.
    options: `-c timezone=UTC -c datestyle=ISO ${KEEPALIVE}`,
    connectionTimeoutMillis: DEFAULT_LIMITS.connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_SECONDS * 1000,
  };
}

/**
 * The database connections of one process. Waits for a restarting server; throws StoreUnavailableError if it stays
 * unavailable.
 */
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
    // The loss of a connection in use already fails its query.
    this.#pool.on('connect', (client) => {
      client.on('error', () => undefined);
      recordRows(client);
    });
  }

  /** Returns a connection that the caller has to release. If it fails, nothing was sent. */
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

  /** Runs one statement on any connection. Drizzle calls it like a pool of the driver. */
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

  /** Rejects with {@link StoreUnavailableError} if the server does not answer in time. */
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

/** Notes how long it takes to parse what the server has sent: its values are parsed as they come. */
function recordRows(client: pg.PoolClient): void {
  const { stream } =
    (client as { readonly connection?: { readonly stream?: unknown } }).connection ?? {};
  if (!(stream instanceof EventEmitter)) return;
  let begunAt = 0;
  stream.prependListener('data', () => {
    begunAt = performance.now();
  });
  stream.on('data', () => loopRecorder.note('rows', performance.now() - begunAt));
}
