import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { getTableColumns, getTableName, is, sql } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { migrateDatabase } from '../../src/store/migrate.ts';
import { testDatabase, withDatabases } from '../support/postgres.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const MIGRATIONS = join(ROOT, 'src/store/migrations');
const SCHEMA = join(ROOT, 'src/store/schema');

async function tables(): Promise<PgTable[]> {
  const modules = await Promise.all(
    (await readdir(SCHEMA)).map((name) => import(join(SCHEMA, name)) as Promise<object>),
  );
  return modules.flatMap((module) => Object.values(module).filter((value) => is(value, PgTable)));
}

test('the migrations are complete: generating them again from the schema gives nothing new', async () => {
  const out = await mkdtemp(join(tmpdir(), 'parley-test-migrations-'));
  try {
    await cp(MIGRATIONS, out, { recursive: true });
    const before = await readdir(out);
    await promisify(execFile)(
      process.execPath,
      [
        join(ROOT, 'node_modules/drizzle-kit/bin.cjs'),
        'generate',
        '--dialect=postgresql',
        `--schema=${SCHEMA}/*.ts`,
        `--out=${out}`,
      ],
      { cwd: ROOT },
    );
    expect((await readdir(out)).toSorted()).toEqual(before.toSorted());
  } finally {
    await rm(out, { recursive: true, force: true });
  }
});

withDatabases('migrations', ({ engine, db }) => {
  test('the database they make has the columns of the schema', async () => {
    const { rows } = await db().execute<{ name: string; nullable: string }>(sql`
      select table_name || '.' || column_name as name, is_nullable as nullable
      from information_schema.columns
      where table_schema = 'public' and table_name <> 'schema_migrations'`);
    const expected = (await tables()).flatMap((table) =>
      Object.values(getTableColumns(table)).map((column) => ({
        name: `${getTableName(table)}.${column.name}`,
        nullable: column.notNull ? 'NO' : 'YES',
      })),
    );
    const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
    expect(rows.toSorted(byName)).toEqual(expected.toSorted(byName));
  });

  test('nodes that start at once migrate an empty database once', async () => {
    const fresh = await testDatabase(engine);
    try {
      await fresh.db.execute(sql`drop schema public cascade`);
      await fresh.db.execute(sql`create schema public`);
      await Promise.all(Array.from({ length: 4 }, () => migrateDatabase(fresh.connection)));
      const { rows } = await fresh.db.execute<{ hash: string }>(
        sql`select hash from schema_migrations`,
      );
      expect(new Set(rows.map(({ hash }) => hash)).size).toBe(rows.length);
      expect(rows.length).toBeGreaterThan(0);
    } finally {
      await fresh.close();
    }
  });
});
