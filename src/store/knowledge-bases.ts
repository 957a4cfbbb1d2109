import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { NotFoundError, VersionConflictError } from './errors.ts';
import { listed, type Narrowing } from './listed.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import { knowledgeBases } from './schema/knowledge.ts';

export type KnowledgeBase = typeof knowledgeBases.$inferSelect;

/** The fields that clients set. */
export type KnowledgeBaseContent = Pick<
  KnowledgeBase,
  'title' | 'description' | 'docs' | 'files' | 'retrainFrequencyMinutes'
>;

interface One {
  readonly teamId: string;
  readonly id: string;
}

const own = ({ teamId, id }: One) =>
  and(eq(knowledgeBases.teamId, teamId), eq(knowledgeBases.id, id));

/** Creates a knowledge base: as a draft without files or documents, else queued for training. */
export async function createKnowledgeBase(
  db: Db,
  params: { readonly teamId: string } & Pick<KnowledgeBaseContent, 'title'> &
    Partial<KnowledgeBaseContent>,
): Promise<KnowledgeBase> {
  const now = new Date();
  const hasContent = (params.docs?.length ?? 0) + (params.files?.length ?? 0) > 0;
  const [knowledgeBase] = await db
    .insert(knowledgeBases)
    .values({
      id: uuidv7(now.getTime()),
      ...params,
      status: hasContent ? 'queued' : 'draft',
      createdAt: now,
      updatedAt: now,
    })
    .returning();
  return knowledgeBase as KnowledgeBase;
}

export async function findKnowledgeBase(db: Db, params: One): Promise<KnowledgeBase | undefined> {
  const [knowledgeBase] = await db.select().from(knowledgeBases).where(own(params));
  return knowledgeBase;
}

export async function getKnowledgeBase(db: Db, params: One): Promise<KnowledgeBase> {
  const knowledgeBase = await findKnowledgeBase(db, params);
  if (!knowledgeBase) throw new NotFoundError('knowledge-base', params.id);
  return knowledgeBase;
}

/** Newest first. */
export async function listKnowledgeBases(
  db: Db,
  params: { readonly teamId: string } & PageRequest & Narrowing,
): Promise<Page<KnowledgeBase>> {
  const { limit } = params;
  const query = db
    .select()
    .from(knowledgeBases)
    .where(listed(knowledgeBases, params, [knowledgeBases.title, knowledgeBases.description]))
    .orderBy(desc(knowledgeBases.id));
  return toPage(await (limit === undefined ? query : query.limit(limit + 1)), limit);
}

/** The given ids that the team does not have. Those it has cannot be deleted before the transaction ends. */
export async function missingKnowledgeBaseIds(
  db: Db,
  params: { readonly teamId: string; readonly ids: readonly string[] },
): Promise<readonly string[]> {
  if (params.ids.length === 0) return [];
  const rows = await db
    .select({ id: knowledgeBases.id })
    .from(knowledgeBases)
    .where(
      and(eq(knowledgeBases.teamId, params.teamId), inArray(knowledgeBases.id, [...params.ids])),
    )
    .for('key share');
  const known = new Set(rows.map((row) => row.id));
  return params.ids.filter((id) => !known.has(id));
}

/** Sets the given fields; `expectedVersion` as for assistants. */
export async function updateKnowledgeBase(
  db: Db,
  params: One & {
    readonly content: Partial<KnowledgeBaseContent>;
    readonly expectedVersion?: number;
  },
): Promise<KnowledgeBase> {
  const { content, expectedVersion } = params;
  const [knowledgeBase] = await db
    .update(knowledgeBases)
    .set({ ...content, version: sql`${knowledgeBases.version} + 1`, updatedAt: new Date() })
    .where(
      and(
        own(params),
        expectedVersion === undefined ? undefined : eq(knowledgeBases.version, expectedVersion),
      ),
    )
    .returning();
  if (knowledgeBase) return knowledgeBase;
  const current = await getKnowledgeBase(db, params);
  throw new VersionConflictError('knowledge-base', params.id, current.version);
}

/** Deletes a knowledge base and its FAQ entries. */
export async function deleteKnowledgeBase(db: Db, params: One): Promise<void> {
  const deleted = await db
    .delete(knowledgeBases)
    .where(own(params))
    .returning({ id: knowledgeBases.id });
  if (deleted.length === 0) throw new NotFoundError('knowledge-base', params.id);
}
