import { and, eq, gt, gte, isNull, lt, or, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { calls } from './schema/calls.ts';

interface OfTeam {
  readonly teamId: string;
}

/** Calls of a team that ended before an instant, in the order of their ids, with what their files are named by. */
export async function pageEndedCalls(
  db: Db,
  params: OfTeam & {
    readonly endedBefore: Date;
    /** Id of the call after which the page begins. */
    readonly after: string;
    readonly limit: number;
  },
): Promise<
  readonly { readonly id: string; readonly epoch: number; readonly recordingPath: string | null }[]
> {
  const { teamId, endedBefore, after, limit } = params;
  return db
    .select({
      id: calls.id,
      epoch: calls.epoch,
      recordingPath: sql<string | null>`${calls.snapshot} ->> 'recordingPath'`,
    })
    .from(calls)
    .where(and(eq(calls.teamId, teamId), lt(calls.endAt, endedBefore), gt(calls.id, after)))
    .orderBy(calls.id)
    .limit(limit);
}

/** True if a call of the team that began before `until` is live, or had not ended by `endedBefore`. */
export async function hasOpenCalls(
  db: Db,
  params: OfTeam & { readonly until: Date; readonly endedBefore: Date },
): Promise<boolean> {
  const { teamId, until, endedBefore } = params;
  const [open] = await db
    .select({ id: calls.id })
    .from(calls)
    .where(
      and(
        eq(calls.teamId, teamId),
        lt(calls.startAt, until),
        or(isNull(calls.endAt), gte(calls.endAt, endedBefore)),
      ),
    )
    .limit(1);
  return open !== undefined;
}
