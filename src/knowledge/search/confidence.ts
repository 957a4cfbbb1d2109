import type { WordPassage } from './fuse-passages.ts';

/** How likely the passage at a place of a list, best first, answers the question that found it, 0…1. */
export function confidenceOf(found: readonly WordPassage[], place: number): number {
  const passage = found[place];
  const best = found[0];
  if (!passage || !best || best.score === 0) return 0;
  const { coverage, together } = passage.evidence;
  const covered = coverage * (0.7 + 0.3 * together);
  // Where most is said of it counts within what is covered.
  return 0.85 * covered * (0.75 + 0.25 * (passage.score / best.score));
}
