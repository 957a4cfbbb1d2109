import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { EndReason } from '../contract/failures.ts';
import { finishCall } from './calls.ts';
import type { Db } from './db.ts';
import { calls } from './schema/calls.ts';
import { teams } from './schema/teams.ts';

/** A live call of a suspended team. */
export interface SuspendedCall {
  readonly id: string;
  /** What it ends with, if the operator gave words. */
  readonly farewell: string | null;
  /** Language tags of its assistant, with commas between them. */
  readonly languages: string;
}

/** Those of the given calls whose team is suspended. */
export async function findSuspendedCalls(
  db: Db,
  params: { readonly callIds: readonly string[] },
): Promise<readonly SuspendedCall[]> {
  if (params.callIds.length === 0) return [];
  return db
    .select({
      id: calls.id,
      farewell: teams.farewell,
      languages: sql<string>`coalesce(
        ${calls.snapshot} #>> '{assistant,config,speech,stt,languages}', '')`,
    })
    .from(calls)
    .innerJoin(teams, eq(teams.id, calls.teamId))
    .where(and(inArray(calls.id, [...params.callIds]), isNotNull(teams.suspendedAt)));
}

/** Ends a suspended team's calls to which no client has come. */
export async function endWaitingCalls(
  db: Db,
  params: { readonly teamId: string; readonly now: Date },
): Promise<void> {
  const { teamId, now } = params;
  for (const { id } of await db.select({ id: calls.id }).from(calls).where(isWaiting(teamId)))
    await endWaitingCall(db, { teamId, id, endReason: 'team-suspended', now });
}

/** Ends a call to which no client has come. */
export async function endWaitingCall(
  db: Db,
  params: {
    readonly teamId: string;
    readonly id: string;
    readonly endReason: EndReason;
    readonly now: Date;
  },
): Promise<void> {
  const { teamId, id, endReason, now: endAt } = params;
  await db.transaction(async (tx) => {
    // A client may have come meanwhile; its session then ends the call itself.
    const found = tx
      .select({ id: calls.id })
      .from(calls)
      .where(and(isWaiting(teamId), eq(calls.id, id)));
    const [waiting] = await found.for('update');
    if (waiting) await finishCall(tx, { teamId, id, endReason, endAt });
  });
}

const isWaiting = (teamId: string) =>
  and(eq(calls.teamId, teamId), isNull(calls.endAt), isNull(calls.nodeId));
