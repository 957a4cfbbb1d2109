import { Problem } from '../contract/errors.ts';
import type { JobHandler, JobKind } from '../jobs/job-sender.ts';
import type { Log } from '../ports/log.ts';
import { StoreError } from '../store/errors.ts';
import { listNightlySuites } from '../store/test-suites.ts';
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
/** Nobody watches at night: models of vendors are asked for so much at most. */
const NIGHTLY_BUDGET = { tokens: 500_000 };

export function createNightlyTests(deps: StartRunDeps & { readonly log: Log }): JobHandler<object> {
  const { db, log } = deps;
  return async (_data, { signal }) => {
    let after: string | undefined;
    for (;;) {
      const suites = await listNightlySuites(db, { after, limit: PAGE });
      for (const { id: suiteId, teamId } of suites) {
        signal.throwIfAborted();
        try {
          const input = { suiteId, seed: 1, budget: NIGHTLY_BUDGET };
          await startRun(deps, { teamId, by: 'nightly', input });
        } catch (error) {
          // A suite without its assistant does not keep the others from running.
          if (!(error instanceof Problem) && !(error instanceof StoreError)) throw error;
          log.warn({ suiteId, err: error }, 'the nightly tests of a suite could not be started');
        }
      }
      after = suites.at(-1)?.id;
      if (suites.length < PAGE) return;
    }
  };
}
