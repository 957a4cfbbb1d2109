import { and, count, desc, eq, gte, inArray, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { knowledgeQuestions } from './schema/knowledge-questions.ts';
import { storableJson } from './storable.ts';

/** A question that was looked up in a call. */
export interface AskedQuestion {
  readonly toolCallId: string;
  readonly question: string;
  readonly answered: boolean;
  readonly askedAt: Date;
}

/** An unanswered question in one wording. */
export interface UnansweredWording {
  readonly question: string;
  readonly count: number;
  readonly lastAskedAt: Date;
  readonly lastCallId: string;
}

/** A lookup of a call as its journal has it. */
export interface JournalledLookup {
  /** Time since the start of the call, in ms. */
  readonly at: number;
  readonly toolCallId: string;
  readonly question: string;
  /** The tool's result, JSON. */
  readonly result: string;
}

const MAX_LOOKUPS = 500;

/** The completed calls of a tool that looks questions up; a cancelled one has no result. */
export async function listJournalledLookups(
  db: Db,
  params: { readonly callId: string; readonly tool: string },
): Promise<readonly JournalledLookup[]> {
  const { rows } = await db.execute<{
    at: number;
    toolCallId: string;
    question: string;
    result: string;
  }>(sql`
    select asked.at, asked.data ->> 'toolCallId' as "toolCallId",
      coalesce(asked.data -> 'arguments' ->> 'query', '') as question, told.data ->> 'result' as result
    from call_events asked join call_events told
      on told.call_id = asked.call_id and told.type = 'tool.result' and told.seq > asked.seq
      and told.data ->> 'toolCallId' = asked.data ->> 'toolCallId'
    where asked.call_id = ${params.callId} and asked.type = 'tool.invoke'
      and asked.data ->> 'name' = ${params.tool}
    order by asked.seq limit ${MAX_LOOKUPS}`);
  return rows;
}

/** Keeps the questions of a call for each of the knowledge bases that still exist; repeating it changes nothing. */
export async function addAskedQuestions(
  db: Db,
  params: {
    readonly callId: string;
    readonly teamId: string;
    readonly knowledgeBaseIds: readonly string[];
    readonly questions: readonly AskedQuestion[];
  },
): Promise<void> {
  const { callId, teamId, knowledgeBaseIds, questions } = params;
  if (knowledgeBaseIds.length === 0 || questions.length === 0) return;
  await db.execute(sql`
    insert into knowledge_questions
      (call_id, tool_call_id, knowledge_base_id, question, answered, asked_at)
    select ${callId}, asked."toolCallId", base.id, asked.question, asked.answered, asked."askedAt"
    from json_to_recordset(${storableJson(questions)}::json)
        as asked ("toolCallId" text, question text, answered boolean, "askedAt" timestamptz),
      (select id from knowledge_bases where team_id = ${teamId}
        and id in (select json_array_elements_text(${storableJson(knowledgeBaseIds)}::json))
        for key share) as base
    on conflict do nothing`);
}

interface Period {
  readonly knowledgeBaseId: string;
  readonly since: Date;
}

const inPeriod = ({ knowledgeBaseId, since }: Period) =>
  and(
    eq(knowledgeQuestions.knowledgeBaseId, knowledgeBaseId),
    gte(knowledgeQuestions.askedAt, since),
  );

/** How many questions were asked, and how many of them answered. */
export async function countAskedQuestions(
  db: Db,
  period: Period,
): Promise<{ readonly asked: number; readonly answered: number }> {
  const [row] = await db
    .select({
      asked: count(),
      answered: sql<number>`(count(*) filter (where answered))::int`,
    })
    .from(knowledgeQuestions)
    .where(inPeriod(period));
  return row ?? { asked: 0, answered: 0 };
}

/** The wordings of unanswered questions; of too many, those asked most often and last. */
export async function listUnansweredWordings(
  db: Db,
  params: Period & { readonly limit: number },
): Promise<readonly UnansweredWording[]> {
  const { question, answered, dismissed, askedAt, callId } = knowledgeQuestions;
  const times = count();
  const last = sql<string>`max(${askedAt})`;
  const rows = await db
    .select({
      question,
      count: times,
      lastAskedAt: last.mapWith(askedAt),
      lastCallId: sql<string>`(array_agg(${callId} order by ${askedAt} desc))[1]`,
    })
    .from(knowledgeQuestions)
    .where(and(inPeriod(params), eq(answered, false), eq(dismissed, false)))
    .groupBy(question)
    .orderBy(desc(times), desc(last))
    .limit(params.limit);
  return rows;
}

/** No longer lists what was asked in these wordings until now. */
export async function dismissQuestions(
  db: Db,
  params: { readonly knowledgeBaseId: string; readonly questions: readonly string[] },
): Promise<void> {
  await db
    .update(knowledgeQuestions)
    .set({ dismissed: true })
    .where(
      and(
        eq(knowledgeQuestions.knowledgeBaseId, params.knowledgeBaseId),
        inArray(knowledgeQuestions.question, [...params.questions]),
      ),
    );
}
