import { sql } from 'drizzle-orm';
import type { Db } from '../../src/store/db.ts';

/** All that Postgres prefers to running the subquery of an `in` again for each row. */
const BETTER_WAYS = ['hashjoin', 'mergejoin', 'hashagg', 'sort', 'material', 'memoize'];

/**
 * Runs statements with plans that Postgres chooses rarely, by chance of its statistics: those that run a subquery again
 * for each row.
 */
export const withRescanningPlans = <T>(db: Db, run: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    for (const way of BETTER_WAYS) await tx.execute(sql.raw(`set local enable_${way} = off`));
    return run(tx);
  });
