import type { PgDatabase } from 'drizzle-orm/pg-core';
import type { PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js';

/** What store functions run on: a database, or a transaction in it. */
export type Db = PgDatabase<PostgresJsQueryResultHKT, Record<string, never>>;
