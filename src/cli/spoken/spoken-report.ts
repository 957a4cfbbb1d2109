import type {
  ConditionReport,
  LineConditionName,
  SpokenFigures,
  TestResult,
} from '../../contract/assistant-test-result.ts';
import { conditionReports, reportOf } from '../../testing/spoken/condition-report.ts';
import type { FileResults } from '../assistant-test/report.ts';

/** One test spoken in one condition. */
export interface SpokenOutcome {
  readonly condition: LineConditionName;
  readonly file: string;
  readonly result: TestResult;
  /** Absent: there was no call. */
  readonly figures?: SpokenFigures;
}

/** The outcomes of tests that the service has spoken, by condition. Pure. */
export function outcomesOf(files: readonly FileResults[]): readonly SpokenOutcome[] {
  const all = files.flatMap(({ file, results }) =>
    results.flatMap(({ condition, figures, ...result }) =>
      condition === undefined ? [] : [{ condition, file, result, ...(figures ? { figures } : {}) }],
    ),
  );
  const names = [...new Set(all.map(({ condition }) => condition))];
  return names.flatMap((name) => all.filter(({ condition }) => condition === name));
}

/** What was measured in these calls: by condition, and in all of them together. Pure. */
export function measuredIn(outcomes: readonly SpokenOutcome[]) {
  const results = outcomes.map(({ condition, figures, result: { status } }) => ({
    ...{ condition, status },
    ...(figures ? { figures } : {}),
  }));
  return {
    conditions: conditionReports(results),
    all: { condition: 'all' as const, ...reportOf(results) },
  };
}

/** A line of the table: a condition, or all of them. */
type ConditionRow = ReturnType<typeof measuredIn>['all'] | ConditionReport;

const COLUMNS: readonly (readonly [string, (row: ConditionRow) => string])[] = [
  ['condition', ({ condition }) => condition],
  ['calls', ({ calls }) => String(calls)],
  ['passed', ({ passed }) => String(passed)],
  ['recognised', ({ recognised }) => percent(recognised)],
  ['answered', ({ answered }) => percent(answered)],
  ['heard p50', ({ heardP50Ms }) => ms(heardP50Ms)],
  ['p95', ({ heardP95Ms }) => ms(heardP95Ms)],
  ['p99', ({ heardP99Ms }) => ms(heardP99Ms)],
  ['stops p50', ({ stopP50Ms }) => ms(stopP50Ms)],
  ['cut-ins', ({ cutIns }) => String(cutIns)],
  ['lost replies', ({ lostReplies }) => String(lostReplies)],
];

const percent = (value: number | undefined) =>
  value === undefined ? '–' : `${Math.round(100 * value)} %`;
const ms = (value: number | undefined) => (value === undefined ? '–' : `${Math.round(value)} ms`);

/** The rows as a table for people. */
export function conditionTable(rows: readonly ConditionRow[]): string {
  const cells = [
    COLUMNS.map(([name]) => name),
    ...rows.map((row) => COLUMNS.map(([, of]) => of(row))),
  ];
  const widths = COLUMNS.map((_, n) => Math.max(...cells.map((line) => line[n]?.length ?? 0)));
  return `${cells
    .map((line) =>
      line
        .map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}\n`;
}
