import type { TestRun, TestRunSummary } from '../../client/api.generated.ts';
import type { Tone } from '../ui/tone.ts';

export type TestResult = TestRun['results'][number];

interface Shown {
  readonly label: string;
  readonly tone: Tone;
}

export const RESULTS: Readonly<Record<TestResult['status'], Shown>> = {
  passed: { label: 'passed', tone: 'good' },
  failed: { label: 'failed', tone: 'bad' },
  broken: { label: 'broken', tone: 'bad' },
  'not-judged': { label: 'not judged', tone: 'warn' },
  'not-run': { label: 'not run', tone: 'neutral' },
};

export const isOpen = ({ status }: Pick<TestRunSummary, 'status'>): boolean =>
  status === 'queued' || status === 'running';

/** How a run has gone, in a word or two. */
export function stateOf(run: Pick<TestRunSummary, 'status' | 'summary'>): Shown {
  if (run.status === 'queued') return { label: 'waiting', tone: 'neutral' };
  if (run.status === 'running') return { label: 'running', tone: 'info' };
  if (run.status === 'failed') return { label: 'not run', tone: 'bad' };
  const { tests, passed, failed, broken } = run.summary;
  if (passed === tests) return { label: 'passed', tone: 'good' };
  return failed + broken > 0
    ? { label: 'failed', tone: 'bad' }
    : { label: 'not judged', tone: 'warn' };
}

/** Such as “18 of 20 passed, 1 failed, 1 not judged”. */
export function scoreText({ summary }: Pick<TestRunSummary, 'summary'>): string {
  const { tests, passed, failed, notJudged, broken, notRun } = summary;
  const others = [
    [failed, 'failed'],
    [broken, 'broken'],
    [notJudged, 'not judged'],
    [notRun, 'not run'],
  ] as const;
  return [
    `${passed} of ${tests} passed`,
    ...others.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`),
  ].join(', ');
}

/** Such as “spoken in 3 conditions”. */
export function soundText({ spoken }: Pick<TestRunSummary, 'spoken'>): string {
  if (!spoken) return 'none';
  const count = spoken.conditions?.length ?? 0;
  if (count === 0) return 'spoken in all conditions';
  return count === 1 ? 'spoken in 1 condition' : `spoken in ${count} conditions`;
}

/** What a result is called in `regressed`: a spoken test has one in each condition. */
export const resultName = ({ name, condition }: Pick<TestResult, 'name' | 'condition'>): string =>
  condition === undefined ? name : `${name} (${condition})`;

/** How many tests passed with a version of an assistant. */
export interface VersionScore {
  readonly version: number;
  readonly passed: number;
  readonly tests: number;
}

/** The scores of versions, by the latest finished run without sound of each suite; the lowest version first. */
export function scoresOf(runs: readonly TestRunSummary[]): readonly VersionScore[] {
  const counted = new Set<string>();
  const scores = new Map<number, VersionScore>();
  for (const { assistantVersion: version, suiteId, status, spoken, summary } of runs) {
    if (version === undefined || suiteId === undefined || status !== 'finished' || spoken) continue;
    // Runs come newest first.
    if (counted.has(`${version} ${suiteId}`)) continue;
    counted.add(`${version} ${suiteId}`);
    const { passed, tests } = scores.get(version) ?? { passed: 0, tests: 0 };
    const sum = { version, passed: passed + summary.passed, tests: tests + summary.tests };
    scores.set(version, sum);
  }
  return [...scores.values()].toSorted((a, b) => a.version - b.version);
}

/** The latest nightly run of each suite, if tests fail in it and no later one of its kind is there; newest first. */
export function failingIn(runs: readonly TestRunSummary[]): readonly TestRunSummary[] {
  const finished = runs.filter(
    ({ status, suiteId }) => status === 'finished' && suiteId !== undefined,
  );
  return finished.filter(({ by, suiteId, spoken, regressed }, index) => {
    const later = finished.slice(0, index).filter((run) => run.suiteId === suiteId);
    const isLast = !later.some((run) => run.by === 'nightly' || kindOf(run) === kindOf({ spoken }));
    return by === 'nightly' && regressed.length > 0 && isLast;
  });
}

/** Runs that are spoken in the same conditions, or all without sound, tell the same. */
const kindOf = ({ spoken }: Pick<TestRunSummary, 'spoken'>) =>
  spoken ? `spoken ${spoken.conditions?.join(' ')}` : 'without sound';
