import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type Connection, connectionConfig } from '../pool.ts';
import { fileOfTable, type SavedTable, type Snapshot, UNFINISHED_JOBS } from './format.ts';

const QUEUE = 'jobs.job';

/**
 * Writes all tables to files of this folder, as they were at one instant, while others go on writing. Unfinished jobs of
 * the queue are among them.
 */
export async function writeSnapshot(
  connection: Connection,
  folder: string,
  signal: AbortSignal,
): Promise<Snapshot> {
  const client = new pg.Client(connectionConfig(connection));
  client.on('error', () => undefined);
  const stop = () => void client.end().catch(() => undefined);
  signal.throwIfAborted();
  await client.connect();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await client.query('begin isolation level repeatable read read only');
    const [last] = await rowsOf<{ at: string }>(
      client,
      'select created_at::text as at from schema_migrations order by created_at desc limit 1',
    );
    if (!last) throw new Error('the database holds nothing of Parley');
    const tables: SavedTable[] = [];
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const { name, columns } of await listTables(client)) {
      const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
      const source = `${pg.escapeIdentifier(name)} (${list})`;
      tables.push({ name, columns, rows: await save(client, source, fileOfTable(folder, name)) });
    }
    const [queue] = await rowsOf<{ exists: boolean }>(
      client,
      `select to_regclass('${QUEUE}') is not null as exists`,
    );
    if (queue?.exists) await save(client, `(${UNFINISHED_JOBS})`, join(folder, 'jobs.gz'));
    return { migratedTo: Number(last.at), tables };
  } finally {
    signal.removeEventListener('abort', stop);
    await client.end().catch(() => undefined);
    signal.throwIfAborted();
  }
}

async function save(client: pg.Client, source: string, path: string): Promise<number> {
  const rows = client.query(copyTo(`copy ${source} to stdout`));
  await pipeline(rows, createGzip(), createWriteStream(path, { mode: 0o600 }));
  return rows.rowCount ?? 0;
}

/** The service's tables and their columns, without those that the database computes. */
async function listTables(
  client: pg.Client,
): Promise<readonly { readonly name: string; readonly columns: readonly string[] }[]> {
  return rowsOf(
    client,
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname order by c.relname`,
  );
}

async function rowsOf<Row extends object>(client: pg.Client, text: string): Promise<Row[]> {
  return (await client.query<Row>(text)).rows;
}
