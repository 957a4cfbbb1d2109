import { ANSWER_SCORE } from '../../contract/knowledge-base.ts';
import type { PassageKey } from '../../store/knowledge-lookup.ts';
import { confidences, type Found } from './confidence.ts';
import type { SimilarPassage } from './similar-passages.ts';

/** A passage found by words. */
export interface WordPassage extends PassageKey, Found {}

export interface FusedPassage extends PassageKey {
  /** Probability (0…1) that it answers the question; falls along the list. */
  readonly score: number;
}

/** How two lists become one. */
export interface Fusion {
  /** Evens out the first ranks, so that a passage in both lists outweighs one that is first in a single list. */
  readonly rankOffset: number;
  /** Weight of a rank by meaning, against one by words. */
  readonly meaningWeight: number;
}

export const DEFAULT_FUSION: Fusion = { rankOffset: 60, meaningWeight: 1 };
/** Typical cosines: of unrelated texts, and of a question and its answer. */
const UNRELATED = 0.15;
const ANSWERING = 0.6;
const MEANING_SHARE = 0.85;

/**
 * Merges the passages found by words and by vectors by reciprocal rank fusion, best first. A passage that words alone would
 * answer with stays first: how often that is right was measured, while the vectors may be of any model.
 */
export function fusePassages(
  byWords: readonly WordPassage[],
  byMeaning: readonly SimilarPassage[],
  { rankOffset, meaningWeight }: Fusion = DEFAULT_FUSION,
): readonly FusedPassage[] {
  const fused = new Map<string, PassageKey & { rank: number; score: number }>();
  const note = ({ segmentId, number }: PassageKey, rank: number, score: number) => {
    const key = passageKey({ segmentId, number });
    const known = fused.get(key) ?? { segmentId, number, rank: 0, score: 0 };
    known.rank += rank;
    known.score = Math.max(known.score, score);
    fused.set(key, known);
  };
  const confident = confidences(byWords);
  for (const [place, passage] of byWords.entries())
    note(passage, 1 / (rankOffset + place), confident[place] ?? 0);
  for (const [place, passage] of byMeaning.entries()) {
    const closeness = (passage.similarity - UNRELATED) / (ANSWERING - UNRELATED);
    const score = MEANING_SHARE * Math.min(1, Math.max(0, closeness));
    note(passage, meaningWeight / (rankOffset + place), score);
  }
  const [best] = byWords;
  const sure =
    best && (confident[0] ?? 0) >= ANSWER_SCORE ? fused.get(passageKey(best)) : undefined;
  const others = [...fused.values()].filter((it) => it !== sure).sort((x, y) => y.rank - x.rank);
  let most = 1;
  return [...(sure ? [sure] : []), ...others].map(({ segmentId, number, score }) => {
    most = Math.min(most, score);
    return { segmentId, number, score: Math.round(most * 1000) / 1000 };
  });
}

/** A key that is unique for each passage. */
export function passageKey({ segmentId, number }: PassageKey): string {
  return `${segmentId} ${number}`;
}
