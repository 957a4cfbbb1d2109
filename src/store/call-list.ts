import {
  and,
  asc,
  count,
  desc,
  eq,
  exists,
  getTableColumns,
  gte,
  ilike,
  inArray,
  isNotNull,
  isNull,
  lte,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { CallDirection, CallStatus, CallType } from '../contract/call.ts';
import type { CallRecord } from './calls.ts';
import type { Db } from './db.ts';
import { calls, messages } from './schema/calls.ts';
import { storableText } from './storable.ts';

/** A call without its configuration snapshot, which can be large. */
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
  /** Calls that started at this time or later. */
  readonly startDate?: Date;
  /** Calls that started at this time or earlier. */
  readonly endDate?: Date;
  readonly status?: CallStatus;
  readonly assistantId?: string;
  readonly userNumber?: string;
  readonly callType?: CallType;
  readonly direction?: CallDirection;
  readonly endReason?: string;
  /** True: calls that have not ended; false: calls that have. */
  readonly live?: boolean;
  /** Part of a number, a name or a message, or the id of a call. */
  readonly search?: string;
}

const SORT_COLUMNS = {
  startAt: calls.startAt,
  endAt: calls.endAt,
  status: calls.status,
  conversationId: calls.id,
} as const;

const { snapshot: _snapshot, ...summary } = getTableColumns(calls);

/** The ids of one page of a team's calls in order, and the total number. */
export async function listCalls(
  db: Db,
  params: CallListParams,
): Promise<{ readonly totalCount: number; readonly ids: readonly string[] }> {
  const { page = 1, size = 10, sort = 'startAt', order = 'desc' } = params;
  const where = and(
    eq(calls.teamId, params.teamId),
    given(params.startDate, (date) => gte(calls.startAt, date)),
    given(params.endDate, (date) => lte(calls.startAt, date)),
    given(params.status, (status) => eq(calls.status, status)),
    given(params.assistantId, (id) => eq(calls.assistantId, id)),
    given(params.userNumber, (number) => eq(calls.userNumber, number)),
    given(params.callType, (callType) => eq(calls.callType, callType)),
    given(params.direction, (wanted) => eq(calls.direction, wanted)),
    given(params.endReason, (reason) => eq(calls.endReason, reason)),
    given(params.live, (live) => (live ? isNull(calls.endAt) : isNotNull(calls.endAt))),
    given(params.search, (text) => matching(db, text)),
  );
  const column = SORT_COLUMNS[sort];
  const direction = order === 'asc' ? asc : desc;
  const [total] = await db.select({ value: count() }).from(calls).where(where);
  const rows = await db
    .select({ id: calls.id })
    .from(calls)
    .where(where)
    // Calls without an end come last in both orders; ids make the order total.
    .orderBy(sql`${direction(column)} nulls last`, direction(calls.id))
    .limit(size)
    .offset((page - 1) * size);
  return { totalCount: total?.value ?? 0, ids: rows.map(({ id }) => id) };
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
  const byId = new Map(rows.map((row) => [row.id, row]));
  return params.ids.flatMap((id) => byId.get(id) ?? []);
}

/** Case-insensitive search for part of a text. */
function matching(db: Db, text: string): SQL | undefined {
  const wanted = storableText(text);
  const pattern = `%${wanted.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const said = db
    .select({ one: sql`1` })
    .from(messages)
    .where(
      and(
        eq(messages.callId, calls.id),
        inArray(messages.role, ['user', 'assistant']),
        ilike(messages.text, pattern),
      ),
    );
  return or(
    eq(calls.id, wanted),
    ilike(calls.userNumber, pattern),
    ilike(calls.assistantNumber, pattern),
    ilike(calls.customerName, pattern),
    exists(said),
  );
}

function given<Value>(
  value: Value | undefined,
  condition: (value: Value) => SQL | undefined,
): SQL | undefined {
  return value === undefined ? undefined : condition(value);
}
