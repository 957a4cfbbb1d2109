import type { FoundTerm, PassageKey, SearchedSegment } from '../../store/knowledge-lookup.ts';
import { readPostings } from '../indexing/postings.ts';

/** A word of a query in the forms it may have in the index, each with how far it is the same word. */
export interface QueryTerm {
  readonly forms: ReadonlyMap<string, number>;
}

export interface ScoredPassage extends PassageKey {
  /** BM25: comparable within one search only. */
  readonly score: number;
  /** 0…1: how much of what was asked the passage has, rare words counting more. */
  readonly coverage: number;
}

const K1 = 1.2;
const B = 0.4;

/** The passages that have most of a query's words, best first: BM25 over the postings of several segments. */
export function scorePassages(
  query: readonly QueryTerm[],
  segments: readonly SearchedSegment[],
  found: readonly FoundTerm[],
  limit: number,
): readonly ScoredPassage[] {
  const total = segments.reduce((sum, { passages }) => sum + passages, 0);
  const words = segments.reduce((sum, segment) => sum + segment.words, 0);
  const averageWords = Math.max(1, words / Math.max(1, total));
  const boards = new Map(segments.map((segment) => [segment.id, new Board(segment.passages)]));
  const byTerm = Map.groupBy(
    found.filter(({ segmentId }) => boards.has(segmentId)),
    ({ term }) => term,
  );
  let allWeight = 0;
  for (const { forms } of query) {
    const rows = [...forms].flatMap(([form, sameness]) =>
      (byTerm.get(form) ?? []).map((row) => ({ row, sameness })),
    );
    const withIt = rows.reduce((sum, { row }) => sum + row.passages, 0);
    const weight = rarity(withIt, total);
    allWeight += weight;
    for (const board of boards.values()) board.nextTerm();
    for (const { row, sameness } of rows) {
      const board = boards.get(row.segmentId) as Board;
      readPostings(row.postings, (passage, count, length) => {
        const frequency = (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / averageWords));
        board.add(passage, sameness * weight * frequency, sameness * weight);
      });
    }
  }
  const best = segments.flatMap(({ id }) =>
    (boards.get(id) as Board).best(limit).map((entry) => ({
      segmentId: id,
      number: entry.passage,
      score: entry.score,
      coverage: allWeight === 0 ? 0 : Math.min(1, entry.weight / allWeight),
    })),
  );
  return best.sort((a, b) => b.score - a.score).slice(0, limit);
}

/** How much a word tells that so many of all passages have; one that none has counts as a rare one. */
function rarity(withIt: number, total: number): number {
  return Math.log(1 + (total - Math.min(withIt, total) + 0.5) / (withIt + 0.5));
}

/** The scores of one segment's passages. */
class Board {
  readonly #scores: Float32Array;
  readonly #weights: Float32Array;
  /** What the term at hand gave, so that several forms of it count once: the best. */
  readonly #termScores: Float32Array;
  readonly #termWeights: Float32Array;
  #touched: number[] = [];

  constructor(passages: number) {
    this.#scores = new Float32Array(passages);
    this.#weights = new Float32Array(passages);
    this.#termScores = new Float32Array(passages);
    this.#termWeights = new Float32Array(passages);
  }

  nextTerm(): void {
    for (const passage of this.#touched) {
      this.#termScores[passage] = 0;
      this.#termWeights[passage] = 0;
    }
    this.#touched = [];
  }

  add(passage: number, score: number, weight: number): void {
    const before = this.#termScores[passage];
    if (before === undefined || score <= before) return;
    const weightBefore = this.#termWeights[passage] as number;
    if (before === 0) this.#touched.push(passage);
    this.#scores[passage] = (this.#scores[passage] as number) + score - before;
    if (weight > weightBefore) {
      this.#weights[passage] = (this.#weights[passage] as number) + weight - weightBefore;
      this.#termWeights[passage] = weight;
    }
    this.#termScores[passage] = score;
  }

  best(limit: number): { passage: number; score: number; weight: number }[] {
    const kept: { passage: number; score: number; weight: number }[] = [];
    let least = 0;
    for (let passage = 0; passage < this.#scores.length; passage++) {
      const score = this.#scores[passage] as number;
      if (score <= least) continue;
      kept.push({ passage, score, weight: this.#weights[passage] as number });
      if (kept.length < limit * 4) continue;
      kept.sort((a, b) => b.score - a.score).length = limit;
      least = kept.at(-1)?.score ?? 0;
    }
    kept.sort((a, b) => b.score - a.score);
    return kept.slice(0, limit);
  }
}
