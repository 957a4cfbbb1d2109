import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { migrateDatabase, newestMigration } from '../migrate.ts';
import { type Connection, connectionConfig } from '../pool.ts';
import { fileOfTable, type SavedTable, type Snapshot } from './format.ts';

/** The database already holds data, or the backup is of a newer release. */
export class UnfitForRestoreError extends Error {
  override readonly name = 'UnfitForRestoreError';
}

/** Rejects with {@link UnfitForRestoreError} if this database cannot take the backup. */
export async function checkRestorable(
  connection: Connection,
  { migratedTo }: Snapshot,
): Promise<void> {
  if (migratedTo > (await newestMigration()))
    throw new UnfitForRestoreError(
      'the backup was made by a newer release: restore it with that one',
    );
  const client = new pg.Client(connectionConfig(connection));
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ exists: boolean }>(
      `select to_regclass('public.teams') is not null as exists`,
    );
    if (!rows[0]?.exists) return;
    const { rowCount } = await client.query('select from teams limit 1');
    if (rowCount !== 0)
      throw new UnfitForRestoreError(
        'the database already has a team: a backup is restored into an empty one',
      );
    const { rows: newest } = await client.query<{ at: string }>(
      'select max(created_at) as at from schema_migrations',
    );
    if (Number(newest[0]?.at) > migratedTo)
      throw new UnfitForRestoreError(
        'the database already has the tables of a newer release than the backup: restore it into a new database',
      );
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Fills an empty database from a backup, in one transaction, with the schema that the backup had; the caller migrates it
 * further.
 */
export async function loadSnapshot(
  connection: Connection,
  folder: string,
  { migratedTo, tables }: Snapshot,
): Promise<void> {
  const client = new pg.Client(connectionConfig(connection));
  client.on('error', () => undefined);
  await client.connect();
  try {
    await migrateDatabase(connection, migratedTo);
    await client.query('begin');
    for (const { name, columns } of await inOrder(client, tables)) {
      const table = pg.escapeIdentifier(name);
      // Counters and the like are in the backup themselves.
      await client.query(`alter table ${table} disable trigger user`);
      // What migrations have put there is in the backup as well.
      await client.query(`delete from ${table}`);
      const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
      const rows = client.query(copyFrom(`copy ${table} (${list}) from stdin`));
      await pipeline(createReadStream(fileOfTable(folder, name)), createGunzip(), rows);
      await client.query(`alter table ${table} enable trigger user`);
    }
    await continueSequences(client);
    await client.query('commit');
  } finally {
    // Without the commit nothing of it stays.
    await client.end().catch(() => undefined);
  }
}

/** A table comes after those that it refers to. */
async function inOrder(
  client: pg.Client,
  tables: readonly SavedTable[],
): Promise<readonly SavedTable[]> {
  const { rows } = await client.query<{ name: string; needs: string }>(
    `select distinct t.relname as name, needed.relname as needs
    from pg_constraint c
      join pg_class t on t.oid = c.conrelid join pg_class needed on needed.oid = c.confrelid
    where c.contype = 'f' and c.conrelid <> c.confrelid and t.relnamespace = 'public'::regnamespace`,
  );
  const needs = Map.groupBy(rows, ({ name }) => name);
  const byName = new Map(tables.map((table) => [table.name, table]));
  const ordered = new Set<SavedTable>();
  const add = (table: SavedTable, path: readonly string[]): void => {
    if (ordered.has(table)) return;
    if (path.includes(table.name))
      throw new Error(`tables refer to each other: ${path.join(', ')}`);
    for (const { needs: other } of needs.get(table.name) ?? []) {
      const needed = byName.get(other);
      if (needed) add(needed, [...path, table.name]);
    }
    ordered.add(table);
  };
  for (const table of tables) add(table, []);
  return [...ordered];
}

async function continueSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select c.relname as table, a.attname as column,
      pg_get_serial_sequence(format('%I', c.relname), a.attname) as sequence
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attidentity <> ''`,
  );
  for (const { table, column, sequence } of rows) {
    const name = pg.escapeIdentifier(column);
    await client.query(
      `select setval($1, greatest((select max(${name}) from ${pg.escapeIdentifier(table)}), 1))`,
      [sequence],
    );
  }
}
