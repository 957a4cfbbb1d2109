import { and, asc, count, desc, eq, getTableColumns, gte, lte, type SQL, sql } from 'drizzle-orm';
import type { CallStatus } from '../contract/call.ts';
import type { CallRecord } from './calls.ts';
import type { Db } from './db.ts';
import { calls } from './schema/calls.ts';

/** The columns a list shows: all but the configuration snapshot, which can be large. */
export type CallSummary = Omit<CallRecord, 'snapshot'>;

export interface CallListParams {
  readonly teamId: string;
  /** From 1. @defaultValue 1 */
  readonly page?: number;
  /** @defaultValue 10 */
  readonly size?: number;
  /** @defaultValue 'startAt' */
  readonly sort?: 'startAt' | 'endAt' | 'status' | 'conversationId';
  /** @defaultValue 'desc' */
  readonly order?: 'asc' | 'desc';
  /** Calls that started at this instant or later. */
  readonly startDate?: Date;
  /** Calls that started at this instant or earlier. */
  readonly endDate?: Date;
  readonly status?: CallStatus;
  readonly assistantId?: string;
  readonly userNumber?: string;
}

const SORT_COLUMNS = {
  startAt: calls.startAt,
  endAt: calls.endAt,
  status: calls.status,
  conversationId: calls.id,
} as const;

const { snapshot: _snapshot, ...summary } = getTableColumns(calls);

/** One page of a team's calls, and how many there are in all pages. */
export async function listCalls(
  db: Db,
  params: CallListParams,
): Promise<{ readonly totalCount: number; readonly calls: readonly CallSummary[] }> {
  const { page = 1, size = 10, sort = 'startAt', order = 'desc' } = params;
  const where = and(
    eq(calls.teamId, params.teamId),
    given(params.startDate, (date) => gte(calls.startAt, date)),
    given(params.endDate, (date) => lte(calls.startAt, date)),
    given(params.status, (status) => eq(calls.status, status)),
    given(params.assistantId, (id) => eq(calls.assistantId, id)),
    given(params.userNumber, (number) => eq(calls.userNumber, number)),
  );
  const column = SORT_COLUMNS[sort];
  const direction = order === 'asc' ? asc : desc;
  const [total] = await db.select({ value: count() }).from(calls).where(where);
  const rows = await db
    .select(summary)
    .from(calls)
    .where(where)
    // Calls that have no end yet come last either way; ids make the order total.
    .orderBy(sql`${direction(column)} nulls last`, direction(calls.id))
    .limit(size)
    .offset((page - 1) * size);
  return { totalCount: total?.value ?? 0, calls: rows };
}

function given<Value>(value: Value | undefined, condition: (value: Value) => SQL): SQL | undefined {
  return value === undefined ? undefined : condition(value);
}
