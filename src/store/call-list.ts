import { and, count, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { type CallMatch, matches } from './call-match.ts';
import type { CallRecord } from './calls.ts';
import type { Db } from './db.ts';
import { NotFoundError } from './errors.ts';
import { calls } from './schema/calls.ts';
import { openedSummaries } from './sealed-calls.ts';

/** A call without its configuration snapshot, which can be large. */
export type CallSummary = Omit<CallRecord, 'snapshot'>;

interface CallOrder {
  /** @defaultValue 'startAt' */
  readonly sort?: keyof typeof SORT_KEYS;
  /** @defaultValue 'desc' */
  readonly order?: 'asc' | 'desc';
}

export interface CallListParams extends CallMatch, CallOrder {
  /** From 1. @defaultValue 1 */
  readonly page?: number;
  /** @defaultValue 10 */
  readonly size?: number;
}

const SORT_KEYS = {
  startAt: sql`calls.start_at`,
  endAt: sql`calls.end_at`,
  status: sql`calls.status`,
  conversationId: sql`calls.id`,
  duration: sql`(calls.end_at - calls.start_at)`,
  cost: sql`(calls.cost ->> 'total')::float8`,
} as const;

const { snapshot: _snapshot, ...summary } = getTableColumns(calls);

/** The ids of one page of a team's calls in order, and the total number. */
export async function listCalls(
  db: Db,
  params: CallListParams,
): Promise<{ readonly totalCount: number; readonly ids: readonly string[] }> {
  const { page = 1, size = 10, sort = 'startAt', order = 'desc' } = params;
  const where = await matches(db, params);
  const direction = DIRECTIONS[order];
  const [total] = await db.select({ value: count() }).from(calls).where(where);
  const rows = await db
    .select({ id: calls.id })
    .from(calls)
    .where(where)
    // Calls without a value come last in both orders; ids make the order total.
    .orderBy(sql`${SORT_KEYS[sort]} ${direction} nulls last`, sql`calls.id ${direction}`)
    .limit(size)
    .offset((page - 1) * size);
  return { totalCount: total?.value ?? 0, ids: rows.map(({ id }) => id) };
}

const DIRECTIONS = { asc: sql`asc`, desc: sql`desc` } as const;

/**
 * The calls before and after a call in the list that {@link listCalls} pages, whether or not the call itself is in it.
 * Throws NotFoundError.
 */
export async function findNeighbours(
  db: Db,
  params: CallMatch & CallOrder & { readonly id: string },
): Promise<{ readonly previous: string | undefined; readonly next: string | undefined }> {
  const { teamId, id, sort = 'startAt', order = 'desc' } = params;
  const key = SORT_KEYS[sort];
  const own = and(eq(calls.teamId, teamId), eq(calls.id, id));
  const [here] = await db
    .select({ isNull: sql<boolean>`${key} is null` })
    .from(calls)
    .where(own);
  if (!here) throw new NotFoundError('call', id);
  // The value stays in the database, where it loses no precision.
  const value = sql`(select ${key} from calls where calls.team_id = ${teamId} and calls.id = ${id})`;
  const where = await matches(db, params);
  const one = async (way: 'asc' | 'desc', beyond: SQL, nulls: SQL) => {
    const [found] = await db
      .select({ id: calls.id })
      .from(calls)
      .where(and(where, beyond))
      .orderBy(sql`${key} ${DIRECTIONS[way]} ${nulls}`, sql`calls.id ${DIRECTIONS[way]}`)
      .limit(1);
    return found?.id;
  };
  const isBeyond = (way: 'asc' | 'desc') => (way === 'asc' ? sql`>` : sql`<`);
  const past = (way: 'asc' | 'desc') =>
    here.isNull
      ? sql`${key} is null and calls.id ${isBeyond(way)} ${id}`
      : sql`(${key}, calls.id) ${isBeyond(way)} (${value}, ${id})`;
  const back = order === 'asc' ? 'desc' : 'asc';
  const next = here.isNull ? past(order) : sql`(${past(order)} or ${key} is null)`;
  const previous = here.isNull ? sql`(${past(back)} or ${key} is not null)` : past(back);
  const isTotal = sort === 'startAt';
  return {
    previous: await one(back, previous, sql`nulls first`),
    next: await one(order, isTotal ? past(order) : next, sql`nulls last`),
  };
}

/** Matching calls, newest first, page by page; each begins after the last of the one before. */
export async function* readMatching(
  db: Db,
  params: CallMatch & { readonly pageSize: number; readonly most: number },
): AsyncGenerator<readonly CallSummary[]> {
  const { pageSize, most } = params;
  const where = await matches(db, params);
  let last: CallSummary | undefined;
  for (let read = 0; read < most; ) {
    const after: SQL | undefined =
      last &&
      sql`(calls.start_at, calls.id) < (${last.startAt.toISOString()}::timestamptz, ${last.id})`;
    const limit = Math.min(pageSize, most - read);
    const page = await db
      .select(summary)
      .from(calls)
      .where(and(where, after))
      .orderBy(sql`calls.start_at desc`, sql`calls.id desc`)
      .limit(limit);
    if (page.length > 0) yield await openedSummaries(db, page);
    if (page.length < limit) return;
    read += page.length;
    last = page.at(-1);
  }
}

/** The number of matching calls. */
export async function countMatching(db: Db, params: CallMatch): Promise<number> {
  const [total] = await db
    .select({ value: count() })
    .from(calls)
    .where(await matches(db, params));
  return total?.value ?? 0;
}

/** The team's calls with these ids, in this order; those that do not exist are left out. */
export async function findCallSummaries(
  db: Db,
  params: { readonly teamId: string; readonly ids: readonly string[] },
): Promise<readonly CallSummary[]> {
  const rows = await db
    .select(summary)
    .from(calls)
    // The text of the statement does not depend on the number of ids.
    .where(
      and(eq(calls.teamId, params.teamId), sql`${calls.id} = any(${sql.param([...params.ids])})`),
    );
  const byId = new Map((await openedSummaries(db, rows)).map((row) => [row.id, row]));
  return params.ids.flatMap((id) => byId.get(id) ?? []);
}
