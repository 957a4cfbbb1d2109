import { questionLanguage } from '../language/detect-language.ts';
import { type QuestionTerm, questionTerms } from './question-terms.ts';
import type { SearchIndex } from './search-index.ts';

/** A passage found by words, with its evidence. */
export interface WordHit {
  /** The number of its index. */
  readonly index: number;
  readonly passage: number;
  /** Comparable within one search only. */
  readonly score: number;
  readonly evidence: Evidence;
}

/** Evidence that a passage is the answer, each 0…1. */
export interface Evidence {
  /** Weighted share of the question's words in the passage. */
  readonly coverage: number;
  /** `coverage` within a sentence or two. */
  readonly together: number;
  /** `coverage` in its heading and titles. */
  readonly headed: number;
  /** Share of adjacent words of the question that are adjacent in the passage. */
  readonly adjacent: number;
  /** How much the question tells: 1 if its words are as rare together as {@link INFORMED} of the rarest. The same for all passages. */
  readonly information: number;
}

/** Bounds the postings read for all words; the rarest words are read first. */
const MAX_POSTINGS = 400_000;
const CANDIDATES = 80;
const TOGETHER_TERMS = 20;
/** So many words, each in one passage only, make a question as informative as can be. */
const INFORMED = 4;

/** Weights of evidence: full evidence of a kind adds this multiple of the BM25 score. */
const BONUS = { together: 1, headed: 0.8, adjacent: 0.5 } as const;
/** Share of the neighbouring passages' scores that is added to a passage's. */
const NEIGHBOUR_SHARE = 0.05;
/** Factor of passages in another language than the question's, if the base has some in the question's. */
const OTHER_LANGUAGE = 0.8;
const K1 = 1.2;
const B = 0.75;

/** The passages whose words match the question best, best first. */
export function searchWords(
  question: string,
  indexes: readonly SearchIndex[],
  limit: number,
): readonly WordHit[] {
  const present = new Set(indexes.flatMap((index) => index.languages));
  const language = questionLanguage(question, present);
  const terms = questionTerms(question, language, indexes);
  const all = terms.reduce((sum, { weight }) => sum + weight, 0);
  if (all === 0) return [];
  const passages = indexes.reduce((sum, index) => sum + index.passages, 0);
  const information = Math.min(1, all / (INFORMED * Math.log(1 + passages)));
  const hits = candidates(terms, indexes)
    .map(({ index, passage, score }) => {
      const own = indexes[index] as SearchIndex;
      const evidence = { ...evidenceOf(terms, all, own, index, passage), information };
      const { together, headed, adjacent } = evidence;
      const bonus =
        1 + BONUS.together * together + BONUS.headed * headed + BONUS.adjacent * adjacent;
      // Names and terms are the same in many languages; the caller understands one.
      const isForeign = present.has(language) && own.languageOf(passage) !== language;
      const factor = isForeign ? OTHER_LANGUAGE * bonus : bonus;
      return { index, passage, score: score * factor, evidence };
    })
    .sort((a, b) => b.score - a.score);
  return withoutRepeats(hits, indexes).slice(0, limit);
}

/** The same text in several files is one passage: the best one stands for all. */
function withoutRepeats(hits: readonly WordHit[], indexes: readonly SearchIndex[]): WordHit[] {
  const seen = new Set<string>();
  return hits.filter(({ index, passage }) => {
    // The ids of terms are those of one index.
    const key = `${index} ${(indexes[index] as SearchIndex).tokensOf(passage).text.join()}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

interface Candidate {
  readonly index: number;
  readonly passage: number;
  readonly score: number;
}

/** The best passages by BM25; several forms of one word count once. */
function candidates(
  terms: readonly QuestionTerm[],
  indexes: readonly SearchIndex[],
): readonly Candidate[] {
  const total = indexes.reduce((sum, { passages }) => sum + passages, 0);
  const averageWords = indexes.reduce((sum, { words }) => sum + words, 0) / Math.max(1, total);
  const best: Candidate[] = [];
  for (const [at, index] of indexes.entries()) {
    const scores = new Float32Array(index.passages);
    const ofTerm = new Float32Array(index.passages);
    let budget = MAX_POSTINGS;
    for (const { forms, weight } of terms) {
      const own = forms[at] ?? [];
      const postings = own.reduce((sum, { id }) => sum + index.df(id), 0);
      if (postings > budget) continue;
      budget -= postings;
      const touched: number[] = [];
      for (const { id, sameness } of own)
        index.visit(id, (passage, frequency) => {
          const length = 1 - B + (B * (index.lengths[passage] as number)) / averageWords;
          const gain = (sameness * weight * frequency * (K1 + 1)) / (frequency + K1 * length);
          const before = ofTerm[passage] as number;
          if (gain <= before) return;
          if (before === 0) touched.push(passage);
          ofTerm[passage] = gain;
          scores[passage] = (scores[passage] as number) + gain - before;
        });
      for (const passage of touched) ofTerm[passage] = 0;
    }
    collect(withNeighbours(scores), at, best);
  }
  return best.sort((a, b) => b.score - a.score).slice(0, CANDIDATES);
}

/** Adds a share of the neighbours' scores, since neighbouring passages have related content. */
function withNeighbours(scores: Float32Array): Float32Array {
  const result = new Float32Array(scores.length);
  for (let i = 0; i < scores.length; i++) {
    const own = scores[i] as number;
    if (own === 0) continue;
    result[i] = own + NEIGHBOUR_SHARE * ((scores[i - 1] ?? 0) + (scores[i + 1] ?? 0));
  }
  return result;
}

function collect(scores: Float32Array, index: number, best: Candidate[]): void {
  let least = best.length < CANDIDATES ? 0 : (best.at(-1)?.score ?? 0);
  for (let passage = 0; passage < scores.length; passage++) {
    const score = scores[passage] as number;
    if (score <= least) continue;
    best.push({ index, passage, score });
    if (best.length < 4 * CANDIDATES) continue;
    best.sort((a, b) => b.score - a.score).length = CANDIDATES;
    least = best.at(-1)?.score ?? 0;
  }
  best.sort((a, b) => b.score - a.score);
  if (best.length > CANDIDATES) best.length = CANDIDATES;
}

function evidenceOf(
  terms: readonly QuestionTerm[],
  all: number,
  index: SearchIndex,
  at: number,
  passage: number,
): Omit<Evidence, 'information'> {
  const byId = new Map<number, number>();
  for (const [term, { forms }] of terms.entries())
    for (const { id } of forms[at] ?? []) byId.set(id, term);
  const shareOf = (found: ReadonlySet<number>) => {
    let sum = 0;
    for (const term of found) sum += weightIn(terms[term] as QuestionTerm, at);
    return sum / all;
  };
  const { head, text } = index.tokensOf(passage);
  const inHead = new Set<number>();
  for (const token of head) {
    const term = byId.get(token);
    if (term !== undefined) inHead.add(term);
  }
  const places: { readonly place: number; readonly term: number }[] = [];
  for (let place = 0; place < text.length; place++) {
    const term = byId.get(text[place] as number);
    if (term !== undefined) places.push({ place, term });
  }
  const anywhere = new Set([...inHead, ...places.map(({ term }) => term)]);
  let together = 0;
  for (let i = 0; i < places.length; i++) {
    const near = new Set<number>();
    const from = (places[i] as { place: number }).place;
    for (let j = i; j < places.length; j++) {
      const { place, term } = places[j] as { place: number; term: number };
      if (place - from > TOGETHER_TERMS) break;
      near.add(term);
    }
    together = Math.max(together, shareOf(near));
  }
  const neighbours = new Set<number>();
  for (let i = 1; i < places.length; i++) {
    const a = places[i - 1] as { place: number; term: number };
    const b = places[i] as { place: number; term: number };
    if (b.place - a.place <= 2 && a.term !== b.term) neighbours.add(a.term).add(b.term);
  }
  return {
    coverage: shareOf(anywhere),
    together,
    headed: shareOf(inHead),
    // A word alone has no neighbour to miss.
    adjacent: shareOf(terms.length === 1 ? anywhere : neighbours),
  };
}

function weightIn({ forms, weight }: QuestionTerm, at: number): number {
  const sameness = Math.max(0, ...(forms[at] ?? []).map((form) => form.sameness));
  return weight * sameness;
}
