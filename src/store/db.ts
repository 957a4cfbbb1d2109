import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';

/** What store functions run on: a database, or a transaction in it. */
export type Db = PgDatabase<NodePgQueryResultHKT, Record<string, never>>;
