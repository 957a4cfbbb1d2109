import { and, eq, gt, gte, inArray, sql } from 'drizzle-orm';
import type { SearchablePassage } from '../ports/knowledge.ts';
import type { Db } from './db.ts';
import { knowledgeBases } from './schema/knowledge.ts';
import {
  knowledgeIndexBlocks,
  knowledgePassages,
  knowledgeSegments,
} from './schema/knowledge-index.ts';

/** The properties of a segment that a search needs. */
export interface SearchedSegment {
  readonly id: string;
  readonly knowledgeBaseId: string;
  readonly passages: number;
  readonly vectorModel: string | null;
}

/** The segments that searches of the team's bases use. */
export async function findSearchedSegments(
  db: Db,
  params: { readonly teamId: string; readonly knowledgeBaseIds: readonly string[] },
): Promise<readonly SearchedSegment[]> {
  const { teamId, knowledgeBaseIds } = params;
  if (knowledgeBaseIds.length === 0) return [];
  return db
    .select({
      id: knowledgeSegments.id,
      knowledgeBaseId: knowledgeSegments.knowledgeBaseId,
      passages: knowledgeSegments.passages,
      vectorModel: knowledgeSegments.vectorModel,
    })
    .from(knowledgeSegments)
    .innerJoin(knowledgeBases, eq(knowledgeBases.id, knowledgeSegments.knowledgeBaseId))
    .where(
      and(
        eq(knowledgeBases.teamId, teamId),
        inArray(knowledgeSegments.knowledgeBaseId, [...knowledgeBaseIds]),
        eq(knowledgeSegments.live, true),
      ),
    );
}

/** Questions, headings, names and terms from the files and pages of the team's bases. */
export async function listSegmentAskable(
  db: Db,
  params: { readonly teamId: string; readonly knowledgeBaseIds: readonly string[] },
): Promise<readonly { readonly askable: readonly string[]; readonly terms: readonly string[] }[]> {
  const { teamId, knowledgeBaseIds } = params;
  if (knowledgeBaseIds.length === 0) return [];
  return db
    .select({ askable: knowledgeSegments.askable, terms: knowledgeSegments.terms })
    .from(knowledgeSegments)
    .innerJoin(knowledgeBases, eq(knowledgeBases.id, knowledgeSegments.knowledgeBaseId))
    .where(
      and(
        eq(knowledgeBases.teamId, teamId),
        inArray(knowledgeSegments.knowledgeBaseId, [...knowledgeBaseIds]),
        eq(knowledgeSegments.live, true),
      ),
    )
    .orderBy(knowledgeSegments.id);
}

/** A block of a segment's index; see `index-block.ts`. */
export interface StoredIndexBlock {
  readonly segmentId: string;
  readonly first: number;
  readonly format: number;
  readonly bytes: Uint8Array;
}

const BLOCKS_PER_QUERY = 16;

/** Reads the blocks of these segments, a few segments at a time; those of one segment are in order. */
export async function* readIndexBlocks(
  db: Db,
  params: { readonly segmentIds: readonly string[] },
): AsyncGenerator<StoredIndexBlock> {
  let after: { readonly segmentId: string; readonly first: number } | undefined;
  for (;;) {
    const rows: StoredIndexBlock[] = await db
      .select()
      .from(knowledgeIndexBlocks)
      .where(
        and(
          sql`${knowledgeIndexBlocks.segmentId} in (select jsonb_array_elements_text(${JSON.stringify(params.segmentIds)}::jsonb))`,
          after &&
            sql`(${knowledgeIndexBlocks.segmentId}, ${knowledgeIndexBlocks.first}) > (${after.segmentId}, ${after.first})`,
        ),
      )
      .orderBy(knowledgeIndexBlocks.segmentId, knowledgeIndexBlocks.first)
      .limit(BLOCKS_PER_QUERY);
    yield* rows;
    after = rows.at(-1);
    if (rows.length < BLOCKS_PER_QUERY) return;
  }
}

/** Passages of a segment from a given number on, in order. */
export async function readPassages(
  db: Db,
  params: { readonly segmentId: string; readonly from: number; readonly limit: number },
): Promise<readonly SearchablePassage[]> {
  const rows = await db
    .select({
      number: knowledgePassages.number,
      text: knowledgePassages.text,
      headings: knowledgePassages.headings,
      title: knowledgePassages.title,
    })
    .from(knowledgePassages)
    .where(
      and(
        eq(knowledgePassages.segmentId, params.segmentId),
        gte(knowledgePassages.number, params.from),
      ),
    )
    .orderBy(knowledgePassages.number)
    .limit(params.limit);
  return rows.map(({ title, ...row }) => ({ ...row, ...(title === null ? {} : { title }) }));
}

/** Live segments with passages but without an index of this format, ordered by id. */
export async function findUnindexed(
  db: Db,
  params: { readonly format: number; readonly after: string; readonly limit: number },
): Promise<readonly { readonly id: string }[]> {
  return db
    .select({ id: knowledgeSegments.id })
    .from(knowledgeSegments)
    .where(
      and(
        eq(knowledgeSegments.live, true),
        sql`${knowledgeSegments.passages} > 0`,
        gt(knowledgeSegments.id, params.after),
        sql`not exists (select 1 from ${knowledgeIndexBlocks}
          where ${knowledgeIndexBlocks.segmentId} = ${knowledgeSegments.id}
            and ${knowledgeIndexBlocks.format} = ${params.format})`,
      ),
    )
    .orderBy(knowledgeSegments.id)
    .limit(params.limit);
}

export interface PassageKey {
  readonly segmentId: string;
  readonly number: number;
}

/** A passage with its source. */
export interface FoundPassage extends PassageKey {
  readonly knowledgeBaseId: string;
  readonly text: string;
  readonly headings: readonly string[];
  readonly page: number | null;
  readonly url: string | null;
  readonly title: string | null;
  /** `file:<id>` or `url:<address>`. */
  readonly source: string;
  readonly sourceTitle: string;
}

/** Finds passages, in no particular order; those of deleted segments are left out. */
export async function findPassages(
  db: Db,
  keys: readonly PassageKey[],
): Promise<readonly FoundPassage[]> {
  if (keys.length === 0) return [];
  return db
    .select({
      segmentId: knowledgePassages.segmentId,
      number: knowledgePassages.number,
      knowledgeBaseId: knowledgeSegments.knowledgeBaseId,
      text: knowledgePassages.text,
      headings: knowledgePassages.headings,
      page: knowledgePassages.page,
      url: knowledgePassages.url,
      title: knowledgePassages.title,
      source: knowledgeSegments.source,
      sourceTitle: knowledgeSegments.title,
    })
    .from(knowledgePassages)
    .innerJoin(knowledgeSegments, eq(knowledgeSegments.id, knowledgePassages.segmentId))
    .where(
      sql`(${knowledgePassages.segmentId}, ${knowledgePassages.number}) in (
        select segment_id, number from jsonb_to_recordset(${JSON.stringify(
          keys.map(({ segmentId, number }) => ({ segment_id: segmentId, number })),
        )}::jsonb) as key (segment_id text, number int))`,
    );
}
