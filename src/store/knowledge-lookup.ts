import { and, eq, gte, inArray, lt, or, sql } from 'drizzle-orm';
import type { LanguageCode } from '../knowledge/language-words.ts';
import type { Db } from './db.ts';
import { knowledgeBases } from './schema/knowledge.ts';
import { knowledgePassages, knowledgeSegments, knowledgeTerms } from './schema/knowledge-index.ts';

/** What a search has to know of a segment. */
export interface SearchedSegment {
  readonly id: string;
  readonly knowledgeBaseId: string;
  readonly language: LanguageCode;
  readonly passages: number;
  readonly words: number;
  readonly vectorModel: string | null;
}

/** The segments that searches of the team's bases look into. */
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
      language: knowledgeSegments.language,
      passages: knowledgeSegments.passages,
      words: knowledgeSegments.words,
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

/** What files and pages of the team's bases ask, or have headings for. */
export async function listSegmentAskable(
  db: Db,
  params: { readonly teamId: string; readonly knowledgeBaseIds: readonly string[] },
): Promise<readonly string[]> {
  const { teamId, knowledgeBaseIds } = params;
  if (knowledgeBaseIds.length === 0) return [];
  const rows = await db
    .select({ askable: knowledgeSegments.askable })
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
  return rows.flatMap(({ askable }) => askable);
}

/** Where a term is, in one segment. */
export interface FoundTerm {
  readonly term: string;
  readonly segmentId: string;
  readonly passages: number;
  readonly postings: Uint8Array;
}

/** The postings of these terms in the bases, whichever of their segments they are in. */
export async function findTerms(
  db: Db,
  params: { readonly knowledgeBaseIds: readonly string[]; readonly terms: readonly string[] },
): Promise<readonly FoundTerm[]> {
  const { knowledgeBaseIds, terms } = params;
  if (terms.length === 0 || knowledgeBaseIds.length === 0) return [];
  return db
    .select({
      term: knowledgeTerms.term,
      segmentId: knowledgeTerms.segmentId,
      passages: knowledgeTerms.passages,
      postings: knowledgeTerms.postings,
    })
    .from(knowledgeTerms)
    .where(
      and(
        inArray(knowledgeTerms.knowledgeBaseId, [...knowledgeBaseIds]),
        inArray(knowledgeTerms.term, [...terms]),
      ),
    );
}

/** Terms of the bases that begin like this, in alphabetical order. */
export async function findTermsLike(
  db: Db,
  params: {
    readonly knowledgeBaseIds: readonly string[];
    readonly prefixes: readonly string[];
    readonly limit: number;
  },
): Promise<readonly string[]> {
  const { knowledgeBaseIds, prefixes, limit } = params;
  if (prefixes.length === 0 || knowledgeBaseIds.length === 0) return [];
  const rows = await db
    .selectDistinct({ term: knowledgeTerms.term })
    .from(knowledgeTerms)
    .where(
      and(
        inArray(knowledgeTerms.knowledgeBaseId, [...knowledgeBaseIds]),
        // Byte order: what begins with the prefix lies between it and its highest continuation.
        or(
          ...prefixes.map((prefix) =>
            and(gte(knowledgeTerms.term, prefix), lt(knowledgeTerms.term, `${prefix}\u{10ffff}`)),
          ),
        ),
      ),
    )
    .limit(limit);
  return rows.map(({ term }) => term);
}

export interface PassageKey {
  readonly segmentId: string;
  readonly number: number;
}

/** A passage, and what it is from. */
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

/** In no order; a segment that is gone meanwhile has none. */
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
