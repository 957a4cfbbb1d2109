import { fileURLToPath } from 'node:url';
import { DrizzleQueryError } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { advisoryLocks } from './advisory-locks.ts';
import { type Connection, connectionConfig } from './pool.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));
/** Migrates the database to the current schema. If several nodes start at once, one migrates and the others wait. */
export async function migrateDatabase(connection: Connection): Promise<void> {
  // Uses a connection without the pool's time limits, since a migration may take long.
  const client = new pg.Client(connectionConfig(connection));
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.migration]);
    await migrate(drizzle(client), {
      migrationsFolder: FOLDER,
      migrationsSchema: 'public',
      migrationsTable: 'schema_migrations',
    });
  } catch (error) {
    // The cause has the message of Postgres instead of the statement.
    throw error instanceof DrizzleQueryError ? error.cause : error;
  } finally {
    await client.end();
  }
}
