import type { SpokenFigures, TestResult } from '../../contract/assistant-test-result.ts';
import type { FileResults } from '../assistant-test/report.ts';

/** One test spoken in one condition. */
export interface SpokenOutcome {
  readonly condition: string;
  readonly file: string;
  readonly result: TestResult;
  /** Absent: there was no call. */
  readonly figures?: SpokenFigures;
}

/** The outcomes of tests that the service has spoken, by condition. Pure. */
export function outcomesOf(files: readonly FileResults[]): readonly SpokenOutcome[] {
  const all = files.flatMap(({ file, results }) =>
    results.map(({ condition = '', figures, ...result }) => ({
      ...{ condition, file, result },
      ...(figures ? { figures } : {}),
    })),
  );
  const names = [...new Set(all.map(({ condition }) => condition))];
  return names.flatMap((name) => all.filter(({ condition }) => condition === name));
}

export interface ConditionRow {
  readonly condition: string;
  readonly calls: number;
  readonly passed: number;
  /** Share of the caller's words that are in the record. */
  readonly recognised?: number;
  /** Share of turns that were answered. */
  readonly answered?: number;
  readonly heardP50Ms?: number;
  readonly heardP95Ms?: number;
  readonly heardP99Ms?: number;
  readonly stopP50Ms?: number;
  readonly cutIns: number;
  readonly lostReplies: number;
}

/** What was measured by condition, in the order in which they come first. Pure. */
export function rowsOf(outcomes: readonly SpokenOutcome[]): readonly ConditionRow[] {
  const names = [...new Set(outcomes.map(({ condition }) => condition))];
  return names.map((name) =>
    rowOf(
      name,
      outcomes.filter(({ condition }) => condition === name),
    ),
  );
}

/** All conditions together. */
export function rowOf(condition: string, outcomes: readonly SpokenOutcome[]): ConditionRow {
  const all = outcomes.flatMap(({ figures }) => figures ?? []);
  const sum = (of: (figures: SpokenFigures) => number) =>
    all.reduce((total, figures) => total + of(figures), 0);
  const heard = all.flatMap(({ answersMs }) => answersMs);
  const stops = all.flatMap(({ stopsMs }) => stopsMs);
  return {
    condition,
    calls: outcomes.length,
    passed: outcomes.filter(({ result }) => result.status === 'passed').length,
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
