import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DrizzleQueryError } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { advisoryLocks } from './advisory-locks.ts';
import { type Connection, connectionConfig } from './pool.ts';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));

/**
 * Migrates the database to the current schema, or to that of an earlier release. If several nodes start at once, one
 * migrates and the others wait.
 * @param until of the last migration, its time in the journal of migrations.
 */
export async function migrateDatabase(connection: Connection, until?: number): Promise<void> {
  await using folder = until === undefined ? allMigrations : await migrationsUntil(until);
  // Uses a connection without the pool's time limits, since a migration may take long.
  const client = new pg.Client(connectionConfig(connection));
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.migration]);
    await migrate(drizzle(client), {
      migrationsFolder: folder.path,
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

interface MigrationFolder extends AsyncDisposable {
  readonly path: string;
}

const allMigrations: MigrationFolder = {
  path: FOLDER,
  [Symbol.asyncDispose]: async () => undefined,
};

/** A copy of the folder whose journal ends there. */
async function migrationsUntil(until: number): Promise<MigrationFolder> {
  const path = await mkdtemp(join(tmpdir(), 'parley-migrations-'));
  await cp(FOLDER, path, { recursive: true });
  const journal = join(path, 'meta/_journal.json');
  const { entries, ...rest } = JSON.parse(await readFile(journal, 'utf8')) as {
    readonly entries: readonly { readonly when: number }[];
  };
  const kept = entries.filter(({ when }) => when <= until);
  await writeFile(journal, JSON.stringify({ ...rest, entries: kept }));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** The newest migration of this release, by its time in the journal of migrations. */
export async function newestMigration(): Promise<number> {
  const { entries } = JSON.parse(await readFile(join(FOLDER, 'meta/_journal.json'), 'utf8')) as {
    readonly entries: readonly { readonly when: number }[];
  };
  return Math.max(...entries.map(({ when }) => when));
}
