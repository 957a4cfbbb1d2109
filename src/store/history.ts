import { and, desc, eq, gte, isNull, lt, sql } from 'drizzle-orm';
import type { CallRecord } from './calls.ts';
import type { Db } from './db.ts';
import { listMessages, type Message } from './messages.ts';
import { calls } from './schema/calls.ts';

export interface EarlierConversation {
  readonly startAt: Date;
  readonly messages: readonly Pick<Message, 'role' | 'text'>[];
}

/** The latest calls of a user with an assistant that began before a given time, oldest first. */
export async function listEarlierConversations(
  db: Db,
  params: {
    readonly teamId: string;
    /** Null stands for inline assistants. */
    readonly assistantId: string | null;
    readonly userNumber: string;
    readonly since: Date;
    readonly before: Date;
    readonly limit: number;
  },
): Promise<readonly EarlierConversation[]> {
  const { teamId, assistantId, userNumber, since, before, limit } = params;
  const rows = await db
    .select({ id: calls.id, startAt: calls.startAt })
    .from(calls)
    .where(
      and(
        eq(calls.teamId, teamId),
        eq(calls.userNumber, userNumber),
        assistantId ? eq(calls.assistantId, assistantId) : isNull(calls.assistantId),
        gte(calls.startAt, since),
        lt(calls.startAt, before),
      ),
    )
    .orderBy(desc(calls.startAt))
    .limit(limit);
  const conversations: EarlierConversation[] = [];
  for (const { id, startAt } of rows.reverse())
    conversations.push({ startAt, messages: await listMessages(db, { callId: id }) });
  return conversations;
}

const CALLS_PER_RUN = 200;

/**
 * Deletes the messages, journal and webhooks of calls that are older than the retention period of their assistant. The
 * call's record, its analysis and its figures stay. Returns the calls.
 */
export async function deleteExpiredHistory(
  db: Db,
  params: { readonly now: Date },
): Promise<readonly Pick<CallRecord, 'id' | 'snapshot'>[]> {
  const now = params.now.toISOString();
  return db.transaction(async (tx) => {
    const { rows } = await tx.execute<Pick<CallRecord, 'id' | 'snapshot'>>(sql`
      select id, json_build_object('recordingPath', snapshot -> 'recordingPath') as snapshot from calls
      where end_at is not null
        and snapshot #>> '{assistant,persistHistory,enabled}' = 'true'
        and start_at < ${now}::timestamptz
          - (snapshot #>> '{assistant,persistHistory,retentionPeriod}')::int * interval '1 day'
        and exists (select from messages where call_id = calls.id)
      limit ${CALLS_PER_RUN} for update skip locked`);
    const ids = JSON.stringify(rows.map(({ id }) => id));
    for (const table of ['messages', 'call_events', 'deliveries'])
      await tx.execute(sql`delete from ${sql.identifier(table)}
        where call_id in (select jsonb_array_elements_text(${ids}::jsonb))`);
    return rows;
  });
}
