import type { Evidence } from './search-words.ts';

/** A passage as a search found it. */
export interface Found {
  readonly score: number;
  readonly evidence: Evidence;
}

/**
 * Weights of a first passage's evidence, fitted by logistic regression to the tuning half of `bench knowledge` and the
 * fixtures; the other half set the base, see docs/knowledge.md.
 */
const WEIGHTS = {
  base: -5,
  coverage: 1.26,
  together: 0.97,
  adjacent: 2.39,
  headed: 0.75,
  lead: 4.46,
} as const;
/** Caps the lead over the second passage, so that a passage found alone does not count as certain. */
const MAX_LEAD = 0.6;

/** How likely each passage of a list, best first, answers the question that found it: 0…1, falling. */
export function confidences(found: readonly Found[]): readonly number[] {
  const [best, second] = found;
  if (!best || best.score === 0) return found.map(() => 0);
  const { coverage, together, adjacent, headed } = best.evidence;
  const lead = Math.min(MAX_LEAD, 1 - (second?.score ?? 0) / best.score);
  const sum =
    WEIGHTS.base +
    WEIGHTS.coverage * coverage +
    WEIGHTS.together * together +
    WEIGHTS.adjacent * adjacent +
    WEIGHTS.headed * headed +
    WEIGHTS.lead * lead;
  const confidence = 1 / (1 + Math.exp(-sum));
  return found.map(({ score }) => confidence * (score / best.score));
}
