import type { PassageKey } from '../../store/knowledge-lookup.ts';
import { confidences, type Found } from './confidence.ts';
import type { SimilarPassage } from './similar-passages.ts';

/** A passage found by words. */
export interface WordPassage extends PassageKey, Found {}

export interface FusedPassage extends PassageKey {
  /** Probability (0…1) that it answers the question; falls along the list. */
  readonly score: number;
}

/** Evens out the first ranks, so that a passage in both lists outweighs one that is first in a single list. */
const RANK_OFFSET = 60;
/** Typical cosines: of unrelated texts, and of a question and its answer. */
const UNRELATED = 0.15;
const ANSWERING = 0.6;
const MEANING_SHARE = 0.85;

/** Merges the passages found by words and by vectors by reciprocal rank fusion, best first. */
export function fusePassages(
  byWords: readonly WordPassage[],
  byMeaning: readonly SimilarPassage[],
): readonly FusedPassage[] {
  const fused = new Map<string, PassageKey & { rank: number; score: number }>();
  const note = ({ segmentId, number }: PassageKey, place: number, score: number) => {
    const key = passageKey({ segmentId, number });
    const known = fused.get(key) ?? { segmentId, number, rank: 0, score: 0 };
    known.rank += 1 / (RANK_OFFSET + place);
    known.score = Math.max(known.score, score);
    fused.set(key, known);
  };
  const confident = confidences(byWords);
  for (const [place, passage] of byWords.entries()) note(passage, place, confident[place] ?? 0);
  for (const [place, passage] of byMeaning.entries()) {
    const closeness = (passage.similarity - UNRELATED) / (ANSWERING - UNRELATED);
    note(passage, place, MEANING_SHARE * Math.min(1, Math.max(0, closeness)));
  }
  const list = [...fused.values()].sort((a, b) => b.rank - a.rank);
  let least = 0;
  return list
    .reverse()
    .map(({ segmentId, number, score }) => {
      least = Math.max(least, score);
      return { segmentId, number, score: Math.round(least * 1000) / 1000 };
    })
    .reverse();
}

/** A key that is unique for each passage. */
export function passageKey({ segmentId, number }: PassageKey): string {
  return `${segmentId} ${number}`;
}
