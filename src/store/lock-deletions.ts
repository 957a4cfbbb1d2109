import { sql } from 'drizzle-orm';
import { advisoryLocks } from './advisory-locks.ts';
import type { Db } from './db.ts';

/**
 * Keeps others that delete, or change many calls of a team, waiting until the transaction ends: each takes calls of the
 * same callers out of each other's journals, and two would wait for each other.
 */
export async function lockDeletions(
  tx: Db,
  { teamId }: { readonly teamId: string },
): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(${advisoryLocks.deletions}, hashtext(${teamId}))`,
  );
}
