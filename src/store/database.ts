import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Sealer } from '../lib/seal.ts';
import type { Log } from '../ports/log.ts';
import type { Db } from './db.ts';
import { embeddedConnection } from './embedded/claim.ts';
import { EmbeddedServer } from './embedded/embedded-server.ts';
import { findRunningServer } from './embedded/pid-file.ts';
import { StoreUnavailableError, toStoreError } from './errors.ts';
import { migrateDatabase } from './migrate.ts';
import { type Connection, ConnectionPool, type PoolLimits } from './pool.ts';
import { createDb } from './pooled-session.ts';
import { sealSecrets } from './seal-secrets.ts';

/** A Postgres server by its URL, or the embedded one by its data folder. */
export type DatabaseOptions = (
  | { readonly databaseUrl: string }
  | { readonly dataDir: string; readonly processes?: number }
) & {
  /** Seals stored secrets; without it none can be stored. */
  readonly sealer?: Sealer;
  /** Seals what was said, too. @defaultValue false */
  readonly sealsContent?: boolean;
};

/** The open store. */
export interface Database {
  readonly db: Db;
  /** For parts that need connections of their own. */
  readonly connection: Connection;
  /** Rejects with {@link StoreUnavailableError} unless the database answers within two seconds. */
  ping(): Promise<void>;
  /** Lets running statements finish, then disconnects; an embedded server is stopped. Idempotent. */
  close(): Promise<void>;
}

const EMBEDDED_CONNECTIONS = 8;
const SERVER_CONNECTIONS = 10;
/** A database server may start together with this service and take longer. */
const SERVER_PATIENCE_MS = 30_000;
const RETRY_MS = 500;

const silent: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Opens the store and migrates its schema. Throws StoreUnavailableError, WrongKeyError or UnusableDataError. */
export async function openDatabase(
  options: DatabaseOptions,
  logger: Log = silent,
): Promise<Database> {
  const { sealer, sealsContent } = options;
  if ('databaseUrl' in options) {
    const connection = { connectionString: options.databaseUrl };
    await migratePatiently(connection, logger);
    return withSealedSecrets(
      connectDatabase(connection, { size: SERVER_CONNECTIONS, logger, sealer, sealsContent }),
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
    sealsContent,
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

/**
 * Connects to the database as it is, without a migration: of an embedded one, to the server of the service that runs, or
 * to one that is started for this. Nothing else of the store works before a migration.
 */
export async function connectForBackup(
  options: DatabaseOptions,
): Promise<{ readonly connection: Connection; close(): Promise<void> }> {
  if ('databaseUrl' in options)
    return { connection: { connectionString: options.databaseUrl }, close: async () => undefined };
  const running = await findRunningServer(join(options.dataDir, 'postgres'));
  if (running)
    return { connection: embeddedConnection(running.socketDir), close: async () => undefined };
  const server = await EmbeddedServer.start(options.dataDir, silent);
  return { connection: server.connection, close: () => server.stop() };
}

/** Connects to a database whose schema is up to date. */
export function connectDatabase(
  connection: Connection,
  options: {
    readonly size: number;
    readonly logger?: Log;
    readonly sealer?: Sealer | undefined;
    readonly sealsContent?: boolean | undefined;
    readonly limits?: PoolLimits;
    readonly afterwards?: () => Promise<void>;
  },
): Database {
  const { size, logger = silent, sealer, sealsContent = false, limits, afterwards } = options;
  const pool = new ConnectionPool(connection, {
    size,
    limits,
    // The driver attaches its whole connection to the error, which would fill pages of the log.
    onLost: (error) =>
      logger.warn({ err: toStoreError(error) }, 'an idle database connection was lost'),
  });
  let closing: Promise<void> | undefined;
  return {
    db: createDb(pool, { sealer, seals: sealsContent }),
    connection,
    ping: () => pool.ping(),
    close: () => {
      closing ??= pool.close().finally(afterwards);
      return closing;
    },
  };
}
