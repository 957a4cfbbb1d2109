import { summaryOf } from '../contract/assistant-test-result.ts';
import { Problem } from '../contract/errors.ts';
import type { JobHandler, JobKind } from '../jobs/job-sender.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { StoreError } from '../store/errors.ts';
import { createTestRun, failLostRuns, updateTestRun } from '../store/test-runs.ts';
import { getTestSuite, listNightlySuites } from '../store/test-suites.ts';
import { reasonOf } from './reason-of.ts';
import { type StartRunDeps, startRun } from './start-run.ts';

/** Starts the runs of the suites that run every night. */
export const nightlyTestsJob: JobKind<object> = {
  name: 'nightly-tests',
  timeoutMs: 600_000,
  retries: 0,
  retryDelayMs: 60_000,
};

export const NIGHTLY_TESTS_CRON = '0 2 * * *';
const PAGE = 100;
/** A run takes 50 minutes at most, each of two times that it is tried. */
const LOST_MS = 6 * 3_600_000;
const LOST = 'the service was killed each time that it ran the tests';
/** Nobody watches at night: models of vendors are asked for so much at most. */
const NIGHTLY = { seed: 1, budget: { tokens: 500_000 } };

export function createNightlyTests(
  deps: StartRunDeps & { readonly log: Log; readonly clock: Clock },
): JobHandler<object> {
  const { db, log, clock } = deps;
  return async (_data, { signal }) => {
    const now = clock.now();
    const finishedAt = new Date(now);
    await failLostRuns(db, { before: new Date(now - LOST_MS), finishedAt, reason: LOST });
    let after: string | undefined;
    for (;;) {
      const suites = await listNightlySuites(db, { after, limit: PAGE });
      for (const { id: suiteId, teamId } of suites) {
        signal.throwIfAborted();
        try {
          await startRun(deps, { teamId, by: 'nightly', input: { suiteId, ...NIGHTLY } });
        } catch (error) {
          // A suite without its assistant does not keep the others from running.
          if (!(error instanceof Problem) && !(error instanceof StoreError)) throw error;
          log.warn({ suiteId, err: error }, 'the nightly tests of a suite could not be started');
          await keepFailure(deps, { teamId, suiteId, reason: reasonOf(error) });
        }
      }
      after = suites.at(-1)?.id;
      if (suites.length < PAGE) return;
    }
  };
}

/** Stores that a suite was not run this night, so that its team sees it among the runs. */
async function keepFailure(
  { db }: StartRunDeps,
  {
    teamId,
    suiteId,
    reason,
  }: { readonly teamId: string; readonly suiteId: string; readonly reason: string },
): Promise<void> {
  const { config, tests, callIds } = await getTestSuite(db, { teamId, id: suiteId });
  const { assistantId, source, spoken = null } = config;
  if (assistantId === undefined) return;
  await db.transaction(async (tx) => {
    const { id, createdAt } = await createTestRun(tx, {
      ...{ teamId, suiteId, assistantId, assistantVersion: null, by: 'nightly' },
      ...{ spoken, source, callIds, judge: null, ...NIGHTLY },
      estimate: { requests: 0, inputTokens: 0, outputTokens: 0, vendors: [] },
      summary: { ...summaryOf([]), tests },
    });
    const change = { status: 'failed', reason, finishedAt: createdAt } as const;
    await updateTestRun(tx, { teamId, id, change });
  });
}
