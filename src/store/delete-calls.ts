import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import type { CallRecord } from './calls.ts';
import type { Db } from './db.ts';
import { calls } from './schema/calls.ts';

interface OfTeam {
  readonly teamId: string;
}

export async function hasLiveCalls(db: Db, { teamId }: OfTeam): Promise<boolean> {
  const [live] = await db
    .select({ id: calls.id })
    .from(calls)
    .where(and(eq(calls.teamId, teamId), isNull(calls.endAt)))
    .limit(1);
  return live !== undefined;
}

/** Ended calls, with what their files are named by; the secrets in their snapshots stay sealed. */
export async function listEndedCalls(
  db: Db,
  { teamId, limit }: OfTeam & { readonly limit: number },
): Promise<readonly Pick<CallRecord, 'id' | 'snapshot' | 'epoch'>[]> {
  return db
    .select({ id: calls.id, snapshot: calls.snapshot, epoch: calls.epoch })
    .from(calls)
    .where(and(eq(calls.teamId, teamId), isNotNull(calls.endAt)))
    .limit(limit);
}

/** Deletes calls with their messages, events, webhooks and tokens. */
export async function deleteEndedCalls(
  db: Db,
  { teamId, ids }: OfTeam & { readonly ids: readonly string[] },
): Promise<void> {
  await db
    .delete(calls)
    .where(and(eq(calls.teamId, teamId), isNotNull(calls.endAt), inArray(calls.id, [...ids])));
}
