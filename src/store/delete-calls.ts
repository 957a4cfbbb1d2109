import { and, count, desc, eq, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { DeletionCause } from '../contract/privacy.ts';
import type { Db } from './db.ts';
import { forgetEarlierConversations } from './history.ts';
import { isFree } from './holds.ts';
import { lockDeletions } from './lock-deletions.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import { appointments } from './schema/calendars.ts';
import { calls } from './schema/calls.ts';
import { deletedCalls } from './schema/privacy.ts';
import { texts } from './schema/texts.ts';
import { waitListEntries } from './schema/wait-lists.ts';
import { wereTaken } from './team-limits.ts';

export type DeletedCall = typeof deletedCalls.$inferSelect;

interface OfTeam {
  readonly teamId: string;
}

/** Which calls; without a field, any. */
export interface CallFilter {
  readonly startDate?: Date | undefined;
  readonly endDate?: Date | undefined;
  readonly assistantId?: string | undefined;
  /** In any of these forms. */
  readonly userNumbers?: readonly string[] | undefined;
  readonly callType?: 'web' | 'phone' | undefined;
  readonly direction?: 'inbound' | 'outbound' | undefined;
  readonly ids?: readonly string[] | undefined;
}

export async function hasLiveCalls(db: Db, { teamId }: OfTeam): Promise<boolean> {
  const [live] = await db
    .select({ id: calls.id })
    .from(calls)
    .where(and(eq(calls.teamId, teamId), isNull(calls.endAt)))
    .limit(1);
  return live !== undefined;
}

/** The condition of a filter. */
export function matchingCalls({ teamId, ...filter }: OfTeam & CallFilter): SQL {
  const { startDate, endDate, assistantId, userNumbers, callType, direction, ids } = filter;
  return and(
    eq(calls.teamId, teamId),
    startDate && sql`${calls.startAt} >= ${startDate.toISOString()}::timestamptz`,
    endDate && sql`${calls.startAt} <= ${endDate.toISOString()}::timestamptz`,
    assistantId === undefined ? undefined : eq(calls.assistantId, assistantId),
    userNumbers && sql`${calls.userNumber} = any(${sql.param([...userNumbers])})`,
    callType && eq(calls.callType, callType),
    direction && eq(calls.direction, direction),
    ids && sql`${calls.id} = any(${sql.param([...ids])})`,
  ) as SQL;
}

/** Of the calls that match: those that may be deleted, those on hold, and those that have not ended. */
export async function countDeletable(
  db: Db,
  matching: SQL,
): Promise<{ readonly free: number; readonly held: number; readonly live: number }> {
  const [row] = await db
    .select({
      free: sql<number>`count(*) filter (where end_at is not null and ${isFree})::int`,
      held: sql<number>`count(*) filter (where end_at is not null and not ${isFree})::int`,
      live: sql<number>`count(*) filter (where end_at is null)::int`,
    })
    .from(calls)
    .where(matching);
  return row ?? { free: 0, held: 0, live: 0 };
}

/**
 * Deletes ended calls of a team that match and are not on hold, at most `limit`, with everything that stands about them
 * in the database; a row stays that says so. `afterwards` runs in the same transaction, if there was one. Appointments
 * and places on wait lists that were made in them stay. Returns the ids.
 */
export async function deleteCalls(
  db: Db,
  params: OfTeam & {
    readonly matching: SQL;
    readonly cause: DeletionCause;
    readonly limit: number;
    readonly now: Date;
    readonly afterwards: (tx: Db) => Promise<unknown>;
  },
): Promise<readonly string[]> {
  const { teamId, matching, cause, limit, now, afterwards } = params;
  return db.transaction(async (tx) => {
    await lockDeletions(tx, { teamId });
    const found = await tx
      .select({
        id: calls.id,
        epoch: calls.epoch,
        startAt: sql<Date | null>`case when ${wereTaken} then ${calls.startAt} end`.mapWith(
          calls.startAt,
        ),
        endAt: sql<Date>`${calls.endAt}`.mapWith(calls.endAt),
        settled: sql<boolean>`${calls.wrapUp} is not null`,
        userNumber: calls.userNumber,
        recordingPath: sql<string | null>`${calls.snapshot} ->> 'recordingPath'`,
      })
      .from(calls)
      .where(and(matching, eq(calls.teamId, teamId), isNotNull(calls.endAt), isFree))
      .orderBy(calls.id)
      .limit(limit)
      .for('update');
    if (found.length === 0) return [];
    const ids = found.map(({ id }) => id);
    const rows = found.map(({ userNumber: _, ...call }) => ({
      ...call,
      teamId,
      cause,
      deletedAt: now,
    }));
    await tx
      .insert(deletedCalls)
      .values(rows)
      .onConflictDoUpdate({
        target: deletedCalls.id,
        set: {
          ...{ cause, deletedAt: now, filesRemovedAt: null },
          ...{ recordingPath: sql`excluded.recording_path`, epoch: sql`excluded.epoch` },
          settled: sql`excluded.settled`,
        },
      });
    await tx.delete(texts).where(and(eq(texts.teamId, teamId), inArray(texts.callId, ids)));
    for (const table of [appointments, waitListEntries])
      await tx.update(table).set({ callId: null }).where(inArray(table.callId, ids));
    // Answers that are kept for repeated requests name the call and its caller.
    await tx.execute(sql`delete from idempotency_keys where team_id = ${teamId} and exists (
      select from unnest(${sql.param(ids)}::text[]) as id where strpos(response_body, id) > 0)`);
    await tx.delete(calls).where(inArray(calls.id, ids));
    const userNumbers = [...new Set(found.flatMap(({ userNumber }) => userNumber ?? []))];
    await forgetEarlierConversations(tx, { teamId, userNumbers });
    await afterwards(tx);
    return ids;
  });
}

export async function findDeletedCall(
  db: Db,
  params: OfTeam & { readonly id: string },
): Promise<DeletedCall | undefined> {
  const [found] = await db
    .select()
    .from(deletedCalls)
    .where(and(eq(deletedCalls.teamId, params.teamId), eq(deletedCalls.id, params.id)));
  return found;
}

/** Highest ids first. */
export async function listDeletedCalls(
  db: Db,
  { teamId, limit, cursor }: OfTeam & PageRequest,
): Promise<Page<DeletedCall>> {
  const query = db
    .select()
    .from(deletedCalls)
    .where(
      and(
        eq(deletedCalls.teamId, teamId),
        cursor === undefined ? undefined : lt(deletedCalls.id, cursor),
      ),
    )
    .orderBy(desc(deletedCalls.id));
  return toPage(await (limit === undefined ? query : query.limit(limit + 1)), limit);
}

/** Deleted calls whose files are still to be removed, after the one with the id `after`. */
export async function listCallsWithFiles(
  db: Db,
  params: OfTeam & { readonly after: string; readonly limit: number },
): Promise<readonly DeletedCall[]> {
  return db
    .select()
    .from(deletedCalls)
    .where(
      and(
        eq(deletedCalls.teamId, params.teamId),
        isNull(deletedCalls.filesRemovedAt),
        sql`${deletedCalls.id} > ${params.after}`,
      ),
    )
    .orderBy(deletedCalls.id)
    .limit(params.limit);
}

export async function filesRemoved(
  db: Db,
  params: { readonly ids: readonly string[]; readonly now: Date },
): Promise<void> {
  await db
    .update(deletedCalls)
    .set({ filesRemovedAt: params.now, recordingPath: null })
    .where(inArray(deletedCalls.id, [...params.ids]));
}

/** The number of deleted calls of each day, UTC. */
export async function countDeletedByDay(db: Db): Promise<ReadonlyMap<string, number>> {
  const day = sql<string>`to_char(${deletedCalls.deletedAt} at time zone 'UTC', 'YYYY-MM-DD')`;
  const rows = await db.select({ day, calls: count() }).from(deletedCalls).groupBy(day);
  return new Map(rows.map((row) => [row.day, row.calls]));
}

/** The teams of those of the given calls that exist. */
export async function listTeamsOfCalls(
  db: Db,
  params: { readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db
    .select({ id: calls.id, teamId: calls.teamId })
    .from(calls)
    .where(sql`${calls.id} = any(${sql.param([...params.ids])})`);
  const byTeam = Map.groupBy(rows, ({ teamId }) => teamId);
  return new Map([...byTeam].map(([teamId, found]) => [teamId, found.map(({ id }) => id)]));
}
