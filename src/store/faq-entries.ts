import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { LockedError, NotFoundError } from './errors.ts';
import { faqIndex } from './faq-index.ts';
import { queueKnowledgeBase } from './knowledge-training.ts';
import { faqEntries } from './schema/knowledge.ts';
import { storableJson } from './storable.ts';

/** An entry as the contract shows it. */
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

/** What is absent stays as it is. */
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

/** Locks the knowledge base and queues it. Entries are searchable as soon as they are stored. */
async function touchKnowledgeBase(tx: Db, { teamId, knowledgeBaseId }: InKnowledgeBase) {
  await queueKnowledgeBase(tx, { teamId, id: knowledgeBaseId });
}

const SLICE_ENTRIES = 100;
const SLICE_CHARS = 50_000;

/** Parts of one statement each: large enough for speed, and so small that making it holds up nothing else. */
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

/** Entries as a table in a statement, which stays the same however many they are. */
function rowsOf(entries: readonly FaqEntry[]) {
  const rows = entries.map((entry) => ({ ...entry, search: faqIndex(entry) }));
  return sql`jsonb_to_recordset(${storableJson(rows)}::jsonb)
    as entry (id text, question text, answer text, category text, updatable boolean, search text)`;
}

/** All or none; returned in the order given. */
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

/** All or none: an unknown id or a locked entry refuses the whole change. */
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

/** A change that unlocks the entry may change the rest with it; one that changes nothing is no change. */
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

/** In the order they were inserted; of a knowledge base that the team does not have, none. */
export async function listFaqEntries(
  db: Db,
  params: InKnowledgeBase,
): Promise<readonly FaqEntry[]> {
  return db.select(shown).from(faqEntries).where(within(params)).orderBy(asc(faqEntries.position));
}

/** The questions of several knowledge bases, one after the other, each in insertion order. */
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
