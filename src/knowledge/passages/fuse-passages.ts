import type { PassageKey } from '../../store/knowledge-lookup.ts';
import type { ScoredPassage } from './score-passages.ts';
import type { SimilarPassage } from './semantic-search.ts';

export interface FusedPassage extends PassageKey {
  /** 0…1: comparable to that of an FAQ entry; falls along the list. */
  readonly score: number;
}

/** Evens out the first ranks: two lists that agree on a passage outweigh one that has it first. */
const RANK_OFFSET = 60;
/** What having every word of a question makes of a passage: an FAQ entry that asks it is surer. */
const FULL_SCORE = 0.85;
const NEARNESS_SHARE = 0.25;
/** Unrelated texts have a cosine of about the one, a question and its answer of the other or more. */
const UNRELATED = 0.15;
const ANSWERING = 0.6;

/** One list of what was found by words and by meaning, best first, by reciprocal ranks. */
export function fusePassages(
  byWords: readonly ScoredPassage[],
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
  const top = byWords[0]?.score ?? 1;
  for (const [place, passage] of byWords.entries()) {
    // Where most is said of it counts within what is covered.
    const nearness = 1 - NEARNESS_SHARE + NEARNESS_SHARE * (passage.score / top);
    note(passage, place, FULL_SCORE * passage.coverage * nearness);
  }
  for (const [place, passage] of byMeaning.entries()) {
    const closeness = (passage.similarity - UNRELATED) / (ANSWERING - UNRELATED);
    note(passage, place, FULL_SCORE * Math.min(1, Math.max(0, closeness)));
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

/** What tells passages apart. */
export function passageKey({ segmentId, number }: PassageKey): string {
  return `${segmentId} ${number}`;
}
