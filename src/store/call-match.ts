import {
  and,
  eq,
  exists,
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
import { type CallFlag, SHORT_CALL_SECONDS, UNHAPPY_VERDICT } from '../contract/call-review.ts';
import { FAILED_ENDS, FAILURES } from '../contract/failures.ts';
import type { Db } from './db.ts';
import { calls, messages } from './schema/calls.ts';
import { searchSealedTranscripts } from './sealed-search.ts';
import { storableText } from './storable.ts';

/** Which calls of a team; without a field, any. */
export interface CallMatch {
  readonly teamId: string;
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
  /** Calls with all of these. */
  readonly flags?: readonly CallFlag[];
  readonly reviewed?: boolean;
  readonly tag?: string;
}

/** Busy and unanswered calls are outcomes; other failed ends count as errors. */
const ERROR_ENDS = FAILED_ENDS.filter((code) => FAILURES[code].isError);
export const hasFailed = sql`(failure is not null or phone_call_status = 'failed'
  or end_reason in (${sql.join(
    ERROR_ENDS.map((reason) => sql`${reason}`),
    sql`, `,
  )}))`;

const FLAGGED: Readonly<Record<CallFlag, SQL>> = {
  failed: hasFailed,
  short: sql`calls.end_at - calls.answered_at < ${SHORT_CALL_SECONDS} * interval '1 s'`,
  transferred: sql`(calls.status = 'forwarded' or calls.end_reason = 'transferred')`,
  unhappy: sql`(calls.analysis ->> 'successEvaluation' ~ ${UNHAPPY_VERDICT}
    or calls.analysis ->> 'isUnhappy' = 'true')`,
  'tool-failed': sql`calls.alerts ? 'tool-failed'`,
  'long-silence': sql`(calls.alerts ? 'long-silence' or calls.end_reason = 'idle-timeout')`,
};

/** The condition that a call matches. */
export async function matches(db: Db, params: CallMatch): Promise<SQL> {
  const { search } = params;
  const otherwise = and(
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
    given(params.reviewed, (is) => (is ? isNotNull(calls.reviewedAt) : isNull(calls.reviewedAt))),
    given(params.tag, (tag) => sql`${calls.tags} ? ${storableText(tag)}`),
    ...(params.flags ?? []).map((flag) => FLAGGED[flag]),
  ) as SQL;
  if (search === undefined) return otherwise;
  const text = storableText(search);
  const ids = await searchSealedTranscripts(db, { among: otherwise, text });
  const said = ids.length === 0 ? undefined : sql`${calls.id} = any(${sql.param([...ids])})`;
  return and(otherwise, or(saying(db, text), said)) as SQL;
}

/** Case-insensitive search for part of a text. */
function saying(db: Db, wanted: string): SQL | undefined {
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
