import { fileURLToPath } from 'node:url';
import { DrizzleQueryError } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { type Connection, connectionConfig } from './pool.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));
// Any number that nothing else locks.
const MIGRATION_LOCK = 7_230_002;

/** Brings the database to the present schema. Several nodes may start at once: one does it, the others wait. */
export async function migrateDatabase(connection: Connection): Promise<void> {
  // A connection of its own, without the pool's time limits: a migration may take long.
  const client = new pg.Client(connectionConfig(connection));
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await migrate(drizzle(client), {
      migrationsFolder: FOLDER,
      migrationsSchema: 'public',
      migrationsTable: 'schema_migrations',
    });
  } catch (error) {
    // What Postgres said, rather than which statement it said it to.
    throw error instanceof DrizzleQueryError ? error.cause : error;
  } finally {
    await client.end();
  }
}
