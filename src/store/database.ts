import { setTimeout as delay } from 'node:timers/promises';
import type { Sealer } from '../lib/seal.ts';
import type { Log } from '../ports/log.ts';
import type { Db } from './db.ts';
import { EmbeddedServer } from './embedded/embedded-server.ts';
import { StoreUnavailableError, toStoreError } from './errors.ts';
import { migrateDatabase } from './migrate.ts';
import { type Connection, ConnectionPool, type PoolLimits } from './pool.ts';
import { createDb } from './pooled-session.ts';
import { sealSecrets } from './seal-secrets.ts';

/** A Postgres server by its URL, or an embedded one with its data in a folder. */
export type DatabaseOptions = (
  | { readonly databaseUrl: string }
  | { readonly dataDir: string; readonly processes?: number }
) & {
  /** Seals the secrets kept here; without it none can be kept. */
  readonly sealer?: Sealer;
};

/** The open store. */
export interface Database {
  readonly db: Db;
  /** For what needs connections of its own. */
  readonly connection: Connection;
  /** Rejects with {@link StoreUnavailableError} unless the database answers within two seconds. */
  ping(): Promise<void>;
  /** Lets running statements end, then lets go of the database; an embedded one is ended. Idempotent. */
  close(): Promise<void>;
}

const EMBEDDED_CONNECTIONS = 8;
const SERVER_CONNECTIONS = 10;
/** A server that starts together with us may be later than we are. */
const SERVER_PATIENCE_MS = 30_000;
const RETRY_MS = 500;

const silent: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Opens the store, its schema brought up to date. */
export async function openDatabase(
  options: DatabaseOptions,
  logger: Log = silent,
): Promise<Database> {
  const { sealer } = options;
  if ('databaseUrl' in options) {
    const connection = { connectionString: options.databaseUrl };
    await migratePatiently(connection, logger);
    return withSealedSecrets(
      connectDatabase(connection, { size: SERVER_CONNECTIONS, logger, sealer }),
      sealer,
    );
  }
  const server = await EmbeddedServer.start(options.dataDir, logger, options.processes);
  try {
    await migrateDatabase(server.connection);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const database = connectDatabase(server.connection, {
    size: EMBEDDED_CONNECTIONS,
    logger,
    sealer,
    afterwards: () => server.stop(),
  });
  return withSealedSecrets(database, sealer);
}

async function withSealedSecrets(
  database: Database,
  sealer: Sealer | undefined,
): Promise<Database> {
  try {
    if (sealer) await sealSecrets(database.db);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function migratePatiently(connection: Connection, logger: Log): Promise<void> {
  const giveUpAt = performance.now() + SERVER_PATIENCE_MS;
  for (;;) {
    try {
      await migrateDatabase(connection);
      return;
    } catch (error) {
      const known = toStoreError(error);
      const again = known instanceof StoreUnavailableError && performance.now() < giveUpAt;
      if (!again) throw known;
      logger.warn({ err: known }, 'waiting for the database');
      await delay(RETRY_MS);
    }
  }
}

/** Uses a database whose schema is up to date already. */
export function connectDatabase(
  connection: Connection,
  options: {
    readonly size: number;
    readonly logger?: Log;
    readonly sealer?: Sealer | undefined;
    readonly limits?: PoolLimits;
    readonly afterwards?: () => Promise<void>;
  },
): Database {
  const { size, logger = silent, sealer, limits, afterwards } = options;
  const pool = new ConnectionPool(connection, {
    size,
    limits,
    // The driver hangs its whole connection on the error: pages of it in a log, statements and all.
    onLost: (error) =>
      logger.warn({ err: toStoreError(error) }, 'an idle database connection was lost'),
  });
  let closing: Promise<void> | undefined;
  return {
    db: createDb(pool, sealer),
    connection,
    ping: () => pool.ping(),
    close: () => {
      closing ??= pool.close().finally(afterwards);
      return closing;
    },
  };
}
