import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { foldedWords } from '../lib/folded-words.ts';
import { uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { LockedError, NotFoundError } from './errors.ts';
import { queueKnowledgeBase } from './knowledge-training.ts';
import { faqEntries } from './schema/knowledge.ts';
import { storableJson } from './storable.ts';

/** The highest position that Postgres allows. */
const MAX_POSITION = 16_383;
/** The words that matter for a spoken question come early; the rest of a long answer only slows the search. */
const MAX_WORDS = 2_000;

/** An entry in its API form. */
export interface FaqEntry {
  readonly id: string;
  readonly question: string;
  readonly answer: string;
  readonly category: string;
  readonly updatable: boolean;
}

export interface NewFaqEntry {
  readonly question: string;
  readonly answer: string;
  /** @defaultValue '' */
  readonly category?: string;
  /** @defaultValue true */
  readonly updatable?: boolean;
}

/** Absent fields stay unchanged. */
export type FaqEntryChange = Pick<FaqEntry, 'id'> & Partial<NewFaqEntry>;

interface InKnowledgeBase {
  readonly teamId: string;
  readonly knowledgeBaseId: string;
}

const shown = {
  id: faqEntries.id,
  question: faqEntries.question,
  answer: faqEntries.answer,
  category: faqEntries.category,
  updatable: faqEntries.updatable,
};

const within = ({ teamId, knowledgeBaseId }: InKnowledgeBase) =>
  and(eq(faqEntries.teamId, teamId), eq(faqEntries.knowledgeBaseId, knowledgeBaseId));

/** Locks the knowledge base and queues its training. Entries are searchable at once. */
async function touchKnowledgeBase(tx: Db, { teamId, knowledgeBaseId }: InKnowledgeBase) {
  await queueKnowledgeBase(tx, { teamId, id: knowledgeBaseId });
}

const SLICE_ENTRIES = 50;
const SLICE_CHARS = 10_000;

/** Splits entries into statements that are fast but small enough not to block the event loop. */
function* slices(entries: readonly FaqEntry[]): Generator<readonly FaqEntry[]> {
  let slice: FaqEntry[] = [];
  let chars = 0;
  for (const entry of entries) {
    slice.push(entry);
    chars += entry.question.length + entry.answer.length;
    if (slice.length < SLICE_ENTRIES && chars < SLICE_CHARS) continue;
    yield slice;
    slice = [];
    chars = 0;
  }
  if (slice.length > 0) yield slice;
}

/** Entries as a table expression; the text of the statement does not depend on their number. */
function rowsOf(entries: readonly FaqEntry[]) {
  const rows = entries.map((entry) => ({ ...entry, search: faqIndex(entry) }));
  return sql`jsonb_to_recordset(${storableJson(rows)}::jsonb)
    as entry (id text, question text, answer text, category text, updatable boolean, search text)`;
}

/** Inserts all entries or none; returns them in the order given. */
export async function insertFaqEntries(
  db: Db,
  params: InKnowledgeBase & { readonly entries: readonly NewFaqEntry[] },
): Promise<readonly FaqEntry[]> {
  const { teamId, knowledgeBaseId } = params;
  const entries = params.entries.map((entry) => ({
    id: uuidv7(),
    question: entry.question,
    answer: entry.answer,
    category: entry.category ?? '',
    updatable: entry.updatable ?? true,
  }));
  await db.transaction(async (tx) => {
    await touchKnowledgeBase(tx, params);
    for (const slice of slices(entries)) {
      await tx.execute(sql`
      insert into faq_entries
        (id, team_id, knowledge_base_id, question, answer, category, updatable, search, created_at, updated_at)
      select id, ${teamId}, ${knowledgeBaseId}, question, answer, category, updatable, search::tsvector, now(), now()
      from ${rowsOf(slice)}`);
    }
  });
  return entries;
}

/** Updates all entries or none. Throws NotFoundError or LockedError. */
export async function updateFaqEntries(
  db: Db,
  params: InKnowledgeBase & { readonly entries: readonly FaqEntryChange[] },
): Promise<readonly FaqEntry[]> {
  const changes = new Map(params.entries.map((entry) => [entry.id, entry]));
  return db.transaction(async (tx) => {
    await touchKnowledgeBase(tx, params);
    const rows = await tx
      .select(shown)
      .from(faqEntries)
      .where(and(within(params), inArray(faqEntries.id, [...changes.keys()])));
    const stored = new Map(rows.map((row) => [row.id, row]));
    const changed = [...changes.values()].map((change) => {
      const entry = stored.get(change.id);
      if (!entry) throw new NotFoundError('faq-entry', change.id);
      return { before: entry, after: applied(entry, change) };
    });
    const locked = changed.filter(({ before, after }) => isLocked(before, after));
    if (locked.length > 0) {
      throw new LockedError(
        'faq-entry',
        locked.map(({ before }) => before.id),
      );
    }
    const entries = changed.map(({ after }) => after);
    for (const slice of slices(entries)) {
      await tx.execute(sql`
      update faq_entries set
        question = entry.question, answer = entry.answer, category = entry.category,
        updatable = entry.updatable, search = entry.search::tsvector, updated_at = now()
      from ${rowsOf(slice)}
      where faq_entries.id = entry.id and faq_entries.knowledge_base_id = ${params.knowledgeBaseId}`);
    }
    return entries;
  });
}

function applied(entry: FaqEntry, change: FaqEntryChange): FaqEntry {
  return {
    id: entry.id,
    question: change.question ?? entry.question,
    answer: change.answer ?? entry.answer,
    category: change.category ?? entry.category,
    updatable: change.updatable ?? entry.updatable,
  };
}

/** True if a locked entry would change, unless the change also unlocks it. */
function isLocked(before: FaqEntry, after: FaqEntry): boolean {
  if (before.updatable || after.updatable) return false;
  return (
    before.question !== after.question ||
    before.answer !== after.answer ||
    before.category !== after.category
  );
}

export async function deleteFaqEntry(
  db: Db,
  params: InKnowledgeBase & { readonly id: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    await touchKnowledgeBase(tx, params);
    const deleted = await tx
      .delete(faqEntries)
      .where(and(within(params), eq(faqEntries.id, params.id)))
      .returning({ updatable: faqEntries.updatable });
    if (!deleted[0]) throw new NotFoundError('faq-entry', params.id);
    if (!deleted[0].updatable) throw new LockedError('faq-entry', [params.id]);
  });
}

/** Entries in insertion order; empty if the team does not have the knowledge base. */
export async function listFaqEntries(
  db: Db,
  params: InKnowledgeBase,
): Promise<readonly FaqEntry[]> {
  return db.select(shown).from(faqEntries).where(within(params)).orderBy(asc(faqEntries.position));
}

/** The questions of several knowledge bases in turn, each in insertion order. */
export async function listFaqQuestions(
  db: Db,
  params: {
    readonly teamId: string;
    readonly knowledgeBaseIds: readonly string[];
    readonly limit: number;
  },
): Promise<readonly string[]> {
  const { teamId, knowledgeBaseIds, limit } = params;
  if (knowledgeBaseIds.length === 0) return [];
  const rows = await db
    .select({ question: faqEntries.question })
    .from(faqEntries)
    .where(
      and(
        eq(faqEntries.teamId, teamId),
        inArray(faqEntries.knowledgeBaseId, [...knowledgeBaseIds]),
      ),
    )
    .orderBy(asc(faqEntries.knowledgeBaseId), asc(faqEntries.position))
    .limit(limit);
  return rows.map(({ question }) => question);
}

/**
 * The full-text index of an entry as the text of a `tsvector`, with the words of its question first. It does not use a
 * text search configuration of Postgres, which would split and fold words by the server's locale.
 */
function faqIndex(entry: {
  readonly question: string;
  readonly answer: string;
  readonly category: string;
}): string {
  let position = 0;
  const lexemes = (text: string, weight: string) =>
    foldedWords(text)
      .flatMap((word) => word.split("'"))
      .filter((part) => part !== '')
      .slice(0, MAX_WORDS)
      .map((word) => `'${word}':${Math.min(++position, MAX_POSITION)}${weight}`);
  return [
    ...lexemes(entry.question, 'A'),
    ...lexemes(entry.category, 'C'),
    ...lexemes(entry.answer, 'D'),
  ].join(' ');
}
