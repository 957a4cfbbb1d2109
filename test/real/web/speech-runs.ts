/** Louder than this is speech, as a share of full scale. */
const AUDIBLE = 0.003;
const STEP_MS = 10;
/** A silence as long as this parts two runs of speech. */
const APART_MS = 1500;

/** Lengths of the runs of speech in levels of 10 ms each, from their first audible step to their last. */
export function runsOf(levels: readonly number[]): number[] {
  const runs: { from: number; to: number }[] = [];
  for (const [i, level] of levels.entries()) {
    if (level < AUDIBLE) continue;
    const last = runs.at(-1);
    if (last && (i - last.to) * STEP_MS < APART_MS) last.to = i;
    else runs.push({ from: i, to: i });
  }
  return runs.map(({ from, to }) => (to - from + 1) * STEP_MS);
}
