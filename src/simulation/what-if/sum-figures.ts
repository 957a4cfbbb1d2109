import type { Comparison, SummedFigures } from '../../contract/what-if.ts';
import { gapsOf, quantile } from './compare.ts';

/** What calls come to together: counts added up, times to answer of all turns in one. */
export function sumFigures(
  calls: readonly Pick<Comparison, 'turns' | 'recorded' | 'replayed'>[],
  which: 'recorded' | 'replayed',
): SummedFigures {
  const gaps = calls.flatMap(({ turns }) => gapsOf(turns.flatMap((turn) => turn[which] ?? [])));
  const sum = (
    field: 'turns' | 'cutIns' | 'repliesLost' | 'tools' | 'toolsFailed' | 'durationMs',
  ) => calls.reduce((total, call) => total + call[which][field], 0);
  return {
    turns: sum('turns'),
    gapP50Ms: quantile(gaps, 0.5),
    gapP95Ms: quantile(gaps, 0.95),
    cutIns: sum('cutIns'),
    repliesLost: sum('repliesLost'),
    tools: sum('tools'),
    toolsFailed: sum('toolsFailed'),
    durationMs: sum('durationMs'),
  };
}
