import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';

/** A database or a transaction, the first parameter of all store functions. */
export type Db = PgDatabase<NodePgQueryResultHKT, Record<string, never>>;
