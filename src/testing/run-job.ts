import { SpentBudget } from '../calls/models/budget.ts';
import { summaryOf, type TestResult } from '../contract/assistant-test-result.ts';
import { Problem } from '../contract/errors.ts';
import type { JobHandler } from '../jobs/job-sender.ts';
import type { Clock } from '../ports/clock.ts';
import type { Providers } from '../providers/registry.ts';
import {
  findLatestRun,
  findTestRun,
  type TestRunRecord,
  updateTestRun,
} from '../store/test-runs.ts';
import { CallUsage } from '../telemetry/call-usage.ts';
import { failedTestsJob } from './failed-tests-job.ts';
import type { TestDeps } from './prepare-test.ts';
import { reasonOf } from './reason-of.ts';
import { refusedTests } from './refused-tests.ts';
import { regressedTests } from './regressed.ts';
import { runTest } from './run-test.ts';
import { runTests } from './run-tests.ts';
import { runSpokenTest } from './spoken/run-spoken-test.ts';
import { spokenJobs } from './spoken/spoken-jobs.ts';
import { SpokenStage } from './spoken/spoken-stage.ts';
import { ownModel, type RunOfTests, type StartRunDeps, snapshotOf } from './start-run.ts';
import type { Tested } from './tested.ts';

export interface RunJobDeps extends StartRunDeps, TestDeps {
  readonly clock: Clock;
  readonly providers: Pick<Providers, 'forAssistant'>;
  /** Module of the thread on which spoken tests are computed. */
  readonly spokenThread: URL;
}

const MINUTE_MS = 60_000;
/** Spoken calls keep the cores busy that live calls need, others mostly wait for models. */
const LIMITS = {
  spoken: { atOnce: 2, minutes: 50 },
  written: { atOnce: 8, minutes: 25 },
} as const;

/** Does one run of tests and stores its results; repeating it does it anew. */
export function createRunTests(deps: RunJobDeps): JobHandler<RunOfTests> {
  const { db, clock } = deps;
  return async ({ teamId, runId: id }, { signal, last }) => {
    const run = await findTestRun(db, { teamId, id });
    if (!run || run.status === 'finished' || run.status === 'failed') return;
    await updateTestRun(db, { teamId, id, change: { status: 'running' } });
    try {
      const { results, budget } = await held(deps, run, signal);
      const { cost } = budget;
      const change = {
        status: 'finished',
        finishedAt: new Date(clock.now()),
        summary: summaryOf(results),
        results,
        ...earlyEnd(results, budget),
        ...(cost && cost.lines.length + cost.unpriced.length > 0 ? { cost } : {}),
      } as const;
      await keep(deps, run, change);
    } catch (error) {
      const isFinal = error instanceof Problem && !signal.aborted;
      if (!isFinal && !last) throw error;
      const reason = isFinal
        ? reasonOf(error)
        : 'the service stopped or failed while the tests ran';
      const change = { status: 'failed', finishedAt: new Date(clock.now()), reason } as const;
      await updateTestRun(db, { teamId, id, change });
      if (!isFinal) throw error;
    }
  };
}

/** Why not all of the tests were run. */
function earlyEnd(
  results: readonly TestResult[],
  { isSpent }: SpentBudget,
): { readonly reason?: string } {
  if (isSpent) return { reason: 'the budget was spent' };
  const left = results.find(({ status }) => status === 'not-run');
  return left?.reason === undefined ? {} : { reason: left.reason };
}

/** Stores the results, and with them the job that tells of tests that passed last night. */
async function keep(
  { db, jobs }: RunJobDeps,
  { teamId, id, suiteId, assistantId, by, spoken }: TestRunRecord,
  finished: NonNullable<Parameters<typeof updateTestRun>[1]['change']>,
): Promise<void> {
  const isNightly = by === 'nightly';
  const isSpoken = spoken !== null;
  const suite = { teamId, suiteId: suiteId ?? '', assistantId, isSpoken, before: id };
  const before =
    suiteId === null
      ? undefined
      : await findLatestRun(db, { ...suite, ...(isNightly ? { by } : {}) });
  const regressed = regressedTests(before?.results ?? [], finished.results ?? []);
  await db.transaction(async (tx) => {
    await updateTestRun(tx, { teamId, id, change: { ...finished, regressed } });
    if (!isNightly || regressed.length === 0) return;
    await jobs.send(tx, failedTestsJob, { teamId, runId: id }, { dedupeKey: id, team: teamId });
  });
}

async function held(
  deps: RunJobDeps,
  run: TestRunRecord,
  signal: AbortSignal,
): Promise<{ readonly results: readonly TestResult[]; readonly budget: SpentBudget }> {
  const { teamId, assistantId } = run;
  const parsed = await deps.reader.read(run.source, teamId, signal);
  if (!parsed.ok) throw refusedTests(parsed.faults);
  const { snapshot } = await snapshotOf(deps, {
    ...{ teamId, assistantId },
    // The version that was published when the run was asked for.
    version: String(run.assistantVersion ?? ''),
  });
  const usage = new CallUsage();
  const budget = new SpentBudget(run.budget, deps.prices, () => usage.lines());
  const modelOf = (choice: { readonly provider: string; readonly model: string }) =>
    budget.limit(
      deps.providers.forAssistant(
        {
          ...snapshot.assistant,
          assistantProvider: choice.provider,
          assistantModel: choice.model,
        },
        { teamId, assistantId, meter: usage },
      ).llm,
    );
  const own = ownModel(snapshot.assistant);
  const tested: Tested = {
    teamId,
    assistantId,
    snapshot,
    llm: () => modelOf(own),
    judge: () => modelOf(run.judge ?? own),
    offline: () => modelOf({ provider: 'offline', model: '' }),
  };
  const { seed, spoken } = run;
  const { atOnce, minutes } = spoken ? LIMITS.spoken : LIMITS.written;
  const endsAt = deps.clock.now() + minutes * MINUTE_MS;
  const over = () => {
    if (budget.isSpent) return 'the budget of the run was spent';
    return deps.clock.now() < endsAt ? undefined : `the run took longer than ${minutes} minutes`;
  };
  if (!spoken) {
    const results = await runTests(
      parsed.tests.map((test) => ({ test })),
      {
        ...{ atOnce, over },
        run: ({ test }) => runTest(deps, test, tested, { seed, signal }),
      },
    );
    return { results, budget };
  }
  await using stage = new SpokenStage({ thread: deps.spokenThread, seed, signal });
  const results = await runTests(spokenJobs(parsed.tests, spoken.conditions), {
    ...{ atOnce, over },
    run: ({ test, condition }) =>
      runSpokenTest(deps, test, tested, { condition, stage, seed, signal }),
  });
  return { results, budget };
}
