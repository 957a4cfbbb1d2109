import { and, eq, inArray, sql } from 'drizzle-orm';
import { uuidv7 } from '../lib/ids.ts';
import type { IndexedPassage, SegmentSummary } from '../ports/knowledge.ts';
import type { Db } from './db.ts';
import {
  knowledgeIndexBlocks,
  knowledgePassages,
  knowledgeSegments,
} from './schema/knowledge-index.ts';
import { storableJson } from './storable.ts';

export type KnowledgeSegment = typeof knowledgeSegments.$inferSelect;

/** Creates an empty segment, which searches do not use yet. */
export async function createSegment(
  db: Db,
  params: Pick<
    KnowledgeSegment,
    'knowledgeBaseId' | 'source' | 'title' | 'fingerprint' | 'readerVersion'
  >,
): Promise<string> {
  const now = new Date();
  const id = uuidv7(now.getTime());
  await db.insert(knowledgeSegments).values({ id, ...params, createdAt: now });
  return id;
}

/** Adds passages to a segment under construction; vectors, if given, are in the same order. */
export async function addPassages(
  db: Db,
  params: {
    readonly segmentId: string;
    readonly passages: readonly IndexedPassage[];
    readonly vectors?: readonly Uint8Array[];
  },
): Promise<void> {
  const { segmentId, passages, vectors } = params;
  const rows = passages.map(({ number, text, headings, page, url, title }, i) => ({
    segment_id: segmentId,
    number,
    text,
    headings,
    page: page ?? null,
    url: url ?? null,
    title: title ?? null,
    vector: vectors?.[i] ? `\\x${Buffer.from(vectors[i]).toString('hex')}` : null,
  }));
  await db.execute(sql`
    insert into ${knowledgePassages} (segment_id, number, text, headings, page, url, title, vector)
    select segment_id, number, text, headings, page, url, title, vector
    from jsonb_to_recordset(${storableJson(rows)}::jsonb) as row
      (segment_id text, number int, text text, headings jsonb, page int, url text, title text, vector bytea)`);
}

/** Stores a block of a segment's index, replacing a previous one. */
export async function addIndexBlock(
  db: Db,
  params: {
    readonly segmentId: string;
    readonly first: number;
    readonly format: number;
    readonly bytes: Uint8Array;
  },
): Promise<void> {
  const { format } = params;
  // The driver sends Buffers without converting them.
  const bytes = Buffer.from(params.bytes);
  await db
    .insert(knowledgeIndexBlocks)
    .values({ ...params, bytes })
    .onConflictDoUpdate({
      target: [knowledgeIndexBlocks.segmentId, knowledgeIndexBlocks.first],
      set: { format, bytes },
    });
}

/** Stores what is known only when a segment is complete. */
export async function finishSegment(
  db: Db,
  params: SegmentSummary & {
    readonly id: string;
    readonly fingerprint: string;
    readonly vectorModel?: string | undefined;
  },
): Promise<void> {
  const { id, fingerprint, language, passages, words, askable, terms, vectorModel = null } = params;
  await db
    .update(knowledgeSegments)
    .set({
      fingerprint,
      language,
      passages,
      words,
      askable: [...askable],
      terms: [...terms],
      vectorModel,
    })
    .where(eq(knowledgeSegments.id, id));
}

/** Makes these segments, and no others, the ones that searches of a base use. */
export async function publishSegments(
  db: Db,
  params: { readonly knowledgeBaseId: string; readonly ids: readonly string[] },
): Promise<void> {
  const { knowledgeBaseId, ids } = params;
  const isWanted = sql`${knowledgeSegments.id} in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`;
  await db
    .update(knowledgeSegments)
    .set({
      live: sql`${isWanted}`,
      retiredAt: sql`case when ${isWanted} then null else coalesce(${knowledgeSegments.retiredAt}, now()) end`,
    })
    .where(eq(knowledgeSegments.knowledgeBaseId, knowledgeBaseId));
}

/** Time after which no search can still be using a retired segment. */
const RETIRED_FOR_MS = 60_000;

/** Deletes retired segments, and those of interrupted trainings. */
export async function deleteDeadSegments(
  db: Db,
  params: {
    readonly knowledgeBaseId: string;
    readonly keep: readonly string[];
    readonly now?: Date;
  },
): Promise<void> {
  const { knowledgeBaseId, keep, now = new Date() } = params;
  const before = new Date(now.getTime() - RETIRED_FOR_MS);
  await db
    .delete(knowledgeSegments)
    .where(
      and(
        eq(knowledgeSegments.knowledgeBaseId, knowledgeBaseId),
        eq(knowledgeSegments.live, false),
        sql`(${knowledgeSegments.retiredAt} is null or ${knowledgeSegments.retiredAt} < ${before.toISOString()})`,
        keep.length === 0
          ? undefined
          : sql`${knowledgeSegments.id} not in (select jsonb_array_elements_text(${JSON.stringify(keep)}::jsonb))`,
      ),
    );
}

/** The segments that searches of these bases use. */
export async function liveSegments(
  db: Db,
  params: { readonly knowledgeBaseIds: readonly string[] },
): Promise<readonly KnowledgeSegment[]> {
  if (params.knowledgeBaseIds.length === 0) return [];
  return db
    .select()
    .from(knowledgeSegments)
    .where(
      and(
        inArray(knowledgeSegments.knowledgeBaseId, [...params.knowledgeBaseIds]),
        eq(knowledgeSegments.live, true),
      ),
    );
}
