import type { Evidence } from './search-words.ts';

/** A passage as a search found it. */
export interface Found {
  readonly score: number;
  readonly evidence: Evidence;
}

/**
 * Weights of a first passage's evidence, fitted by logistic regression to the tuning half of `bench knowledge`, asked in
 * bases of 12 to 27,000 passages, with and without the passages that answer; see docs/knowledge.md.
 */
const WEIGHTS = {
  // 0.4 below the fit, so that nine of ten answers are right also where questions are harder.
  base: -8.34,
  coverage: 1.17,
  together: 1.86,
  adjacent: 2.45,
  headed: 2.12,
  lead: 3.03,
  information: 2.35,
  /** Of words that stand together: one common word alone says little, wherever it stands. */
  informationTogether: 3.22,
} as const;
/** Caps the lead over the second passage, so that a passage found alone does not count as certain. */
const MAX_LEAD = 0.6;

/** How likely each passage of a list, best first, answers the question that found it: 0…1, falling. */
export function confidences(found: readonly Found[]): readonly number[] {
  const [best, second] = found;
  if (!best || best.score === 0) return found.map(() => 0);
  const { coverage, together, adjacent, headed, information } = best.evidence;
  const lead = Math.min(MAX_LEAD, 1 - (second?.score ?? 0) / best.score);
  const sum =
    WEIGHTS.base +
    WEIGHTS.coverage * coverage +
    WEIGHTS.together * together +
    WEIGHTS.adjacent * adjacent +
    WEIGHTS.headed * headed +
    WEIGHTS.lead * lead +
    WEIGHTS.information * information +
    WEIGHTS.informationTogether * information * together;
  const confidence = 1 / (1 + Math.exp(-sum));
  return found.map(({ score }) => confidence * (score / best.score));
}
