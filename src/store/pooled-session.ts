import { DrizzleQueryError } from 'drizzle-orm';
import { NodePgSession, NodePgTransaction } from 'drizzle-orm/node-postgres';
import {
  PgDatabase,
  PgDialect,
  type PgPreparedQuery,
  type PgTransactionConfig,
  type PreparedQueryConfig,
} from 'drizzle-orm/pg-core';
import type pg from 'pg';
import type { Sealer } from '../lib/seal.ts';
import { ContentKeys } from './content-keys.ts';
import type { Db } from './db.ts';
import { StoreUnavailableError, toStoreError } from './errors.ts';
import type { ConnectionPool } from './pool.ts';

type Schema = Record<string, never>;
type Transaction = NodePgTransaction<Schema, Schema>;
type PrepareArguments = Parameters<NodePgSession<Schema, Schema>['prepareQuery']>;

const MAX_PREPARED = 500;
const preparedNames = new Map<string, string>();

/** A name for a statement's text, so that each connection parses it once; undefined for rare statements. */
function preparedName(text: string): string | undefined {
  const known = preparedNames.get(text);
  if (known !== undefined || preparedNames.size >= MAX_PREPARED) return known;
  const name = `p${preparedNames.size}`;
  preparedNames.set(text, name);
  return name;
}

/** Drizzle's error quotes all parameters, including transcripts and secrets, so only its cause is passed on. */
function unquoted(error: unknown): unknown {
  return toStoreError(error instanceof DrizzleQueryError ? error.cause : error);
}

/** Drizzle's session for node-postgres, with the pool, prepared statements and errors of this store. */
export class PooledSession extends NodePgSession<Schema, Schema> {
  readonly #pool: ConnectionPool;
  readonly #dialect: PgDialect;
  /** Seals stored secrets; transactions get it from their database. */
  readonly sealer: Sealer | undefined;
  /** Keys for what was said; undefined without a sealer, which they need. */
  readonly content: ContentKeys | undefined;

  constructor(
    pool: ConnectionPool,
    dialect: PgDialect,
    options: {
      readonly sealer: Sealer | undefined;
      readonly content: ContentKeys | undefined;
      readonly client?: pg.PoolClient;
    },
  ) {
    // It only calls `query` of a pool, and `connect` in the transaction, which is overridden.
    super(options.client ?? (pool as unknown as pg.Pool), dialect, undefined);
    this.#pool = pool;
    this.#dialect = dialect;
    this.sealer = options.sealer;
    this.content = options.content;
  }

  override prepareQuery<T extends PreparedQueryConfig = PreparedQueryConfig>(
    ...[query, fields, name, arrayMode, ...rest]: PrepareArguments
  ): PgPreparedQuery<T> {
    const statement = name ?? preparedName(query.sql);
    const prepared = super.prepareQuery<T>(query, fields, statement, arrayMode, ...rest);
    const execute = prepared.execute.bind(prepared);
    prepared.execute = (values) =>
      execute(values).catch((error: unknown) => {
        throw unquoted(error);
      });
    return prepared;
  }

  override async transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    config?: PgTransactionConfig,
  ): Promise<Result> {
    const client = await this.#pool.connect();
    const { sealer, content } = this;
    const session = new PooledSession(this.#pool, this.#dialect, { sealer, content, client });
    const tx: Transaction = new NodePgTransaction(this.#dialect, session, undefined);
    try {
      await say(client, 'begin');
      if (config) await tx.setTransaction(config);
      const result = await work(tx);
      await say(client, 'commit');
      client.release();
      return result;
    } catch (error) {
      client.release(await rolledBack(client, error).catch(() => true));
      throw error;
    }
  }
}

/** Sends a statement of the transaction itself: it has no parameters, and Drizzle would build its text anew each time. */
async function say(client: pg.PoolClient, text: 'begin' | 'commit' | 'rollback'): Promise<void> {
  try {
    await client.query(text);
  } catch (error) {
    throw toStoreError(error);
  }
}

/** Rolls back; returns true if the connection cannot be used any more. */
async function rolledBack(client: pg.PoolClient, error: unknown): Promise<boolean> {
  // Dropping the connection also rolls back, and needs no response from the server.
  if (error instanceof StoreUnavailableError) return true;
  await say(client, 'rollback');
  return false;
}

/** Creates the database that store functions take; with `seals` they seal what was said. */
export function createDb(
  pool: ConnectionPool,
  { sealer, seals }: { readonly sealer: Sealer | undefined; readonly seals: boolean },
): Db {
  const dialect = new PgDialect();
  const content = sealer && new ContentKeys({ seals, root: () => db });
  const session = new PooledSession(pool, dialect, { sealer, content });
  const db: Db = new PgDatabase(dialect, session, undefined);
  return db;
}
