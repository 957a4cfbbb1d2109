import { sql } from 'drizzle-orm';
import { connectDatabase } from '../../src/store/database.ts';
import type { Db } from '../../src/store/db.ts';
import { type TestDatabase, testSealer } from './postgres.ts';

/** What Postgres prefers to running a subquery again for each row, and to reading rows in the order that they happen to have. */
const USUAL_STEPS = ['hashjoin', 'mergejoin', 'hashagg', 'sort', 'material', 'memoize'];

/** Runs statements with plans that Postgres chooses rarely, as its statistics happen to be. */
export async function withRarePlans<T>(
  { db, connection }: TestDatabase,
  run: (db: Db) => Promise<T>,
): Promise<T> {
  const { rows } = await db.execute<{ name: string }>(sql`select current_database() as name`);
  const database = sql`alter database ${sql.identifier(`${rows[0]?.name}`)}`;
  for (const step of USUAL_STEPS)
    await db.execute(sql`${database} set ${sql.identifier(`enable_${step}`)} = off`);
  // The settings are those of connections that are opened from now on.
  const rare = connectDatabase(connection, { size: 5, sealer: testSealer });
  try {
    return await run(rare.db);
  } finally {
    await rare.close();
    await db.execute(sql`${database} reset all`);
  }
}
