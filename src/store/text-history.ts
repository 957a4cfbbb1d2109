import { and, desc, eq, gte, lt, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import type { EarlierConversation } from './history.ts';
import { texts } from './schema/texts.ts';
import { openedTexts } from './sealed-texts.ts';

/**
 * The latest text messages between a user and an assistant before a given time, one conversation for each day, oldest
 * first.
 */
export async function listEarlierTexts(
  db: Db,
  params: {
    readonly teamId: string;
    readonly assistantId: string;
    readonly userNumber: string;
    readonly since: Date;
    readonly before: Date;
    readonly limit: number;
  },
): Promise<readonly EarlierConversation[]> {
  const { teamId, assistantId, userNumber, since, before, limit } = params;
  const rows = await db
    .select({ id: texts.id, role: texts.role, text: texts.text, createdAt: texts.createdAt })
    .from(texts)
    .where(
      and(
        eq(texts.teamId, teamId),
        eq(texts.assistantId, assistantId),
        eq(texts.userNumber, userNumber),
        gte(texts.createdAt, since),
        lt(texts.createdAt, before),
      ),
    )
    .orderBy(desc(texts.id))
    .limit(limit);
  const byDay = Map.groupBy((await openedTexts(db, rows)).toReversed(), ({ createdAt }) =>
    createdAt.toISOString().slice(0, 10),
  );
  return [...byDay.values()].flatMap((messages) => {
    const [first] = messages;
    return first ? [{ startAt: first.createdAt, messages }] : [];
  });
}

const TEXTS_PER_RUN = 1000;

/** Deletes text messages older than the retention period of their assistant; returns their number. */
export async function deleteExpiredTexts(db: Db, params: { readonly now: Date }): Promise<number> {
  const { rowCount } = await db.execute(sql`
    delete from texts where id in (
      select texts.id from texts join assistants on assistants.id = texts.assistant_id
      where assistants.config #>> '{persistHistory,enabled}' = 'true'
        and texts.created_at < ${params.now.toISOString()}::timestamptz
          - (assistants.config #>> '{persistHistory,retentionPeriod}')::int * interval '1 day'
      limit ${TEXTS_PER_RUN})`);
  return rowCount ?? 0;
}
