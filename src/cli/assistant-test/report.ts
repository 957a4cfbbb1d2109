import type { TestResult, TestSummary } from '../../contract/assistant-test-result.ts';

/** The results of one file of tests. */
export interface FileResults {
  readonly file: string;
  readonly results: readonly TestResult[];
}

const MARKS: Readonly<Record<TestResult['status'], string>> = {
  passed: '✓',
  failed: '✗',
  'not-judged': '?',
  broken: '!',
  'not-run': '-',
};

const MAX_SHOWN_CHARS = 200;
const shortened = (text: string) =>
  text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text;

/** The results as a table for people: one line a test, and below it what was not as expected. */
export function tableOf(files: readonly FileResults[]): string {
  const all = files.flatMap(({ results }) => results);
  const width = Math.min(70, Math.max(4, ...all.map(({ name }) => name.length)));
  const lines = files.flatMap(({ file, results }) => [
    ...(files.length > 1 ? ['', file] : []),
    ...results.flatMap((result) => [rowOf(result, width), ...detailsOf(result)]),
  ]);
  return `${lines.join('\n')}\n`;
}

function rowOf({ name, status, answersMs, tools, durationMs }: TestResult, width: number): string {
  const slowest = answersMs.length === 0 ? '' : `${Math.max(...answersMs)} ms`;
  const called = tools.length === 0 ? '' : `${tools.length} tool${tools.length === 1 ? '' : 's'}`;
  const seconds = `${(durationMs / 1000).toFixed(1)} s`;
  const cells = [seconds.padStart(8), slowest.padStart(8), called.padStart(8)];
  return `${MARKS[status]} ${name.padEnd(width)} ${status.padEnd(10)} ${cells.join(' ')}`.trimEnd();
}

function detailsOf({ reason, conditions, notes }: TestResult): string[] {
  const unmet = conditions.filter(({ verdict }) => verdict !== 'met');
  return [
    ...(reason === undefined ? [] : [`    ${shortened(reason)}`]),
    ...unmet.map(({ turn, condition, verdict, detail }) => {
      const where = turn === undefined ? 'call' : `turn ${turn}`;
      const why = detail === undefined ? '' : `: ${shortened(detail)}`;
      return `    ${where}, ${verdict}: ${shortened(condition)}${why}`;
    }),
    ...notes.map((note) => `    note: ${shortened(note)}`),
  ];
}

/** One line: how many tests have each status. */
export function summaryLine(summary: TestSummary): string {
  const { tests, passed, failed, notJudged, broken, notRun } = summary;
  const parts = [
    `${passed} of ${tests} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(broken > 0 ? [`${broken} broken`] : []),
    ...(notJudged > 0 ? [`${notJudged} not judged`] : []),
    ...(notRun > 0 ? [`${notRun} not run`] : []),
  ];
  return parts.join(', ');
}

export function exitCodeOf(summary: TestSummary): 0 | 1 | 3 {
  if (summary.failed > 0 || summary.broken > 0) return 1;
  return summary.passed === summary.tests ? 0 : 3;
}
