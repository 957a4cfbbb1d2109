import type {
  ConditionReport,
  SpokenFigures,
  TestResult,
} from '../../contract/assistant-test-result.ts';

/** One test spoken in one condition. */
type Spoken = Pick<TestResult, 'status' | 'condition' | 'figures'>;

/** What was measured by condition, in the order in which they come first. Pure. */
export function conditionReports(results: readonly Spoken[]): readonly ConditionReport[] {
  const names = [...new Set(results.flatMap(({ condition }) => condition ?? []))];
  return names.map((condition) => ({
    condition,
    ...reportOf(results.filter((result) => result.condition === condition)),
  }));
}

/** The same of all conditions together. Pure. */
export function reportOf(results: readonly Spoken[]): Omit<ConditionReport, 'condition'> {
  const all = results.flatMap(({ figures }) => figures ?? []);
  const sum = (of: (figures: SpokenFigures) => number) =>
    all.reduce((total, figures) => total + of(figures), 0);
  const heard = all.flatMap(({ answersMs }) => answersMs);
  const stops = all.flatMap(({ stopsMs }) => stopsMs);
  return {
    calls: results.length,
    passed: results.filter(({ status }) => status === 'passed').length,
    ...optional(
      'recognised',
      share(
        sum((it) => it.wordsHeard),
        sum((it) => it.wordsSaid),
      ),
    ),
    ...optional(
      'answered',
      share(
        sum((it) => it.answered),
        sum((it) => it.turns),
      ),
    ),
    ...optional('heardP50Ms', quantile(heard, 0.5)),
    ...optional('heardP95Ms', quantile(heard, 0.95)),
    ...optional('heardP99Ms', quantile(heard, 0.99)),
    ...optional('stopP50Ms', quantile(stops, 0.5)),
    cutIns: sum((it) => it.cutIns),
    lostReplies: sum((it) => it.lostReplies),
  };
}

const share = (part: number, whole: number) => (whole === 0 ? undefined : part / whole);

function quantile(values: readonly number[], q: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

function optional<K extends string>(key: K, value: number | undefined) {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: number };
}
