import { sql } from 'drizzle-orm';
import type { Db } from '../../src/store/db.ts';

/** All rows of all tables of the service and its queue, as one text: what a search of the database finds. */
export async function allRows(db: Db): Promise<string> {
  const tables = await db.execute<{ schema: string; name: string }>(
    sql`select table_schema as schema, table_name as name from information_schema.tables
      where table_schema in ('public', 'jobs') and table_type = 'BASE TABLE'`,
  );
  const texts: string[] = [];
  for (const { schema, name } of tables.rows) {
    const { rows } = await db.execute(
      sql`select to_jsonb(t) from ${sql.identifier(schema)}.${sql.identifier(name)} t`,
    );
    texts.push(`${name}: ${JSON.stringify(rows)}`);
  }
  return texts.join('\n');
}
