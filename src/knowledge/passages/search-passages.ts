import type { Db } from '../../store/db.ts';
import {
  type FoundPassage,
  findPassages,
  findSearchedSegments,
  findTerms,
} from '../../store/knowledge-lookup.ts';
import { queryTerms, withSimilarForms } from './query-terms.ts';
import { type QueryTerm, type ScoredPassage, scorePassages } from './score-passages.ts';

/** A passage that answers a query. */
export interface PassageHit {
  readonly passage: FoundPassage;
  /** 0…1: comparable to that of an FAQ entry. */
  readonly score: number;
}

const CANDIDATES = 40;
/** What having every word of a question makes of a passage: an FAQ entry that asks it is surer. */
const FULL_COVERAGE_SCORE = 0.85;
const NEARNESS_SHARE = 0.25;

/** The passages of files and pages that say most of what is asked, best first. */
export async function searchPassages(
  db: Db,
  params: {
    readonly teamId: string;
    readonly knowledgeBaseIds: readonly string[];
    readonly query: string;
    readonly limit: number;
  },
): Promise<readonly PassageHit[]> {
  const segments = await findSearchedSegments(db, params);
  if (segments.length === 0) return [];
  const knowledgeBaseIds = [...new Set(segments.map((segment) => segment.knowledgeBaseId))];
  const languages = [...new Set(segments.map(({ language }) => language))];
  const exact = queryTerms(params.query, languages);
  const formsOf = (terms: readonly QueryTerm[]) => [
    ...new Set(terms.flatMap(({ forms }) => [...forms.keys()])),
  ];
  let found = await findTerms(db, { knowledgeBaseIds, terms: formsOf(exact) });
  const known = new Set(found.map(({ term }) => term));
  const terms = await withSimilarForms(db, {
    knowledgeBaseIds,
    terms: exact,
    isKnown: (form) => known.has(form),
  });
  const added = formsOf(terms).filter((form) => !known.has(form));
  if (terms !== exact)
    found = [...found, ...(await findTerms(db, { knowledgeBaseIds, terms: added }))];
  const candidates = scorePassages(terms, segments, found, Math.max(CANDIDATES, params.limit));
  const passages = await findPassages(db, candidates);
  return rank(candidates, passages).slice(0, params.limit);
}

function rank(
  candidates: readonly ScoredPassage[],
  passages: readonly FoundPassage[],
): readonly PassageHit[] {
  const byKey = new Map(passages.map((passage) => [keyOf(passage), passage]));
  const top = candidates[0]?.score ?? 1;
  return candidates
    .flatMap((candidate) => {
      const passage = byKey.get(keyOf(candidate));
      if (!passage) return [];
      // Where most is said of it counts within what is covered.
      const nearness = candidate.score / top;
      const share = 1 - NEARNESS_SHARE + NEARNESS_SHARE * nearness;
      return [
        { passage, score: FULL_COVERAGE_SCORE * candidate.coverage * share, bm25: candidate.score },
      ];
    })
    .sort((a, b) => b.bm25 - a.bm25)
    .map(({ passage, score }, i, all) => {
      // Best first holds for the scores too.
      const below = all.slice(i).reduce((most, other) => Math.max(most, other.score), score);
      return { passage, score: Math.round(below * 1000) / 1000 };
    });
}

const keyOf = ({ segmentId, number }: { segmentId: string; number: number }) =>
  `${segmentId} ${number}`;
