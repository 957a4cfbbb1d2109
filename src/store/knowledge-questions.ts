import { and, asc, count, desc, eq, gte, inArray, sql } from 'drizzle-orm';
import { openedLines } from './call-events.ts';
import type { Db } from './db.ts';
import { callEvents } from './schema/calls.ts';
import { knowledgeQuestions } from './schema/knowledge-questions.ts';
import { contentOpener, contentSealer, storedForms } from './sealed-content.ts';
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
/** Of all tools of a call: what these lines say may be sealed, so that the database cannot choose among them. */
const MAX_TOOL_LINES = 4000;

/** The completed calls of a tool that looks questions up; a cancelled one has no result. */
export async function listJournalledLookups(
  db: Db,
  params: { readonly callId: string; readonly tool: string },
): Promise<readonly JournalledLookup[]> {
  const { callId, tool } = params;
  const { seq, at, type, data } = callEvents;
  const stored = await db
    .select({ seq, at, type, data })
    .from(callEvents)
    .where(and(eq(callEvents.callId, callId), inArray(type, ['tool.invoke', 'tool.result'])))
    .orderBy(asc(seq))
    .limit(MAX_TOOL_LINES);
  const asked = new Map<string, Pick<JournalledLookup, 'at' | 'question'>>();
  const lookups: JournalledLookup[] = [];
  for (const line of await openedLines(db, callId, stored)) {
    const { toolCallId, name, arguments: given, result } = line.data as unknown as ToolLine;
    if (line.type === 'tool.invoke') {
      if (name === tool) asked.set(toolCallId, { at: line.at, question: questionIn(given) });
      continue;
    }
    const lookup = asked.get(toolCallId);
    if (!lookup || typeof result !== 'string') continue;
    lookups.push({ ...lookup, toolCallId, result });
    asked.delete(toolCallId);
  }
  return lookups.toSorted((a, b) => a.at - b.at).slice(0, MAX_LOOKUPS);
}

interface ToolLine {
  readonly toolCallId: string;
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly result?: unknown;
}

function questionIn(given: unknown): string {
  const query = (given as { readonly query?: unknown } | null | undefined)?.query;
  return typeof query === 'string' ? query : '';
}

/** Where a question of callers stands: in one knowledge base equal ones are counted together. */
export const questionPlace = (knowledgeBaseId: string) => ({
  table: 'knowledge_questions',
  owner: knowledgeBaseId,
  part: 'question',
});

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
  const seal = await contentSealer(db, { teamId });
  const asked = knowledgeBaseIds.flatMap((knowledgeBaseId) =>
    questions.map((one) => ({
      ...{ ...one, knowledgeBaseId },
      question: seal.alike(one.question, questionPlace(knowledgeBaseId)),
    })),
  );
  await db.execute(sql`
    insert into knowledge_questions
      (call_id, tool_call_id, knowledge_base_id, question, answered, asked_at)
    select ${callId}, asked."toolCallId", base.id, asked.question, asked.answered, asked."askedAt"
    from json_to_recordset(${storableJson(asked)}::json)
        as asked ("toolCallId" text, "knowledgeBaseId" text, question text, answered boolean,
          "askedAt" timestamptz)
      join (select id from knowledge_bases where team_id = ${teamId}
        and id in (select json_array_elements_text(${storableJson(knowledgeBaseIds)}::json))
        for key share) as base on base.id = asked."knowledgeBaseId"
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
  const open = await contentOpener(
    db,
    rows.map((row) => row.question),
  );
  const place = questionPlace(params.knowledgeBaseId);
  return rows.map((row) => ({ ...row, question: open.text(row.question, place) }));
}

/** No longer lists what was asked in these wordings until now. */
export async function dismissQuestions(
  db: Db,
  params: {
    readonly teamId: string;
    readonly knowledgeBaseId: string;
    readonly questions: readonly string[];
  },
): Promise<void> {
  const { teamId, knowledgeBaseId, questions } = params;
  const place = questionPlace(knowledgeBaseId);
  const forms: string[] = [];
  for (const text of questions) forms.push(...(await storedForms(db, { teamId, text, place })));
  await db
    .update(knowledgeQuestions)
    .set({ dismissed: true })
    .where(
      and(
        eq(knowledgeQuestions.knowledgeBaseId, knowledgeBaseId),
        inArray(knowledgeQuestions.question, forms),
      ),
    );
}
