import type { Db } from '../../store/db.ts';
import {
  type FoundPassage,
  findPassages,
  findSearchedSegments,
  findTerms,
  type SearchedSegment,
} from '../../store/knowledge-lookup.ts';
import { fusePassages, passageKey } from './fuse-passages.ts';
import { queryTerms, withSimilarForms } from './query-terms.ts';
import { type QueryTerm, type ScoredPassage, scorePassages } from './score-passages.ts';
import type { SemanticSearch } from './semantic-search.ts';

/** A passage that answers a query. */
export interface PassageHit {
  readonly passage: FoundPassage;
  /** 0…1: comparable to that of an FAQ entry. */
  readonly score: number;
}

const CANDIDATES = 40;

/** The passages of files and pages that say most of what is asked, by their words and meaning, best first. */
export async function searchPassages(
  db: Db,
  params: {
    readonly teamId: string;
    readonly knowledgeBaseIds: readonly string[];
    readonly query: string;
    readonly limit: number;
  },
  semantic?: SemanticSearch,
): Promise<readonly PassageHit[]> {
  const { query, limit } = params;
  const segments = await findSearchedSegments(db, params);
  if (segments.length === 0) return [];
  const wanted = Math.max(CANDIDATES, limit);
  const [byWords, byMeaning] = await Promise.all([
    findByWords(db, { query, segments, limit: wanted }),
    semantic?.find(db, { query, segments, limit: wanted }) ?? [],
  ]);
  const fused = fusePassages(byWords, byMeaning).slice(0, limit);
  const passages = await findPassages(db, fused);
  const byKey = new Map(passages.map((passage) => [passageKey(passage), passage]));
  return fused.flatMap((it) => {
    const passage = byKey.get(passageKey(it));
    return passage ? [{ passage, score: it.score }] : [];
  });
}

async function findByWords(
  db: Db,
  params: {
    readonly query: string;
    readonly segments: readonly SearchedSegment[];
    readonly limit: number;
  },
): Promise<readonly ScoredPassage[]> {
  const { query, segments, limit } = params;
  const knowledgeBaseIds = [...new Set(segments.map((segment) => segment.knowledgeBaseId))];
  const exact = queryTerms(query, [...new Set(segments.map(({ language }) => language))]);
  const found = await findTerms(db, { knowledgeBaseIds, terms: formsOf(exact) });
  const known = new Set(found.map(({ term }) => term));
  const isKnown = (form: string) => known.has(form);
  const terms = await withSimilarForms(db, { knowledgeBaseIds, terms: exact, isKnown });
  if (terms === exact) return scorePassages(exact, segments, found, limit);
  const added = formsOf(terms).filter((form) => !isKnown(form));
  const similar = await findTerms(db, { knowledgeBaseIds, terms: added });
  return scorePassages(terms, segments, [...found, ...similar], limit);
}

function formsOf(terms: readonly QueryTerm[]): readonly string[] {
  return [...new Set(terms.flatMap(({ forms }) => [...forms.keys()]))];
}
