import { resultName, type TestResult } from '../contract/assistant-test-result.ts';
import { shownAssistant } from '../contract/shown-assistant.ts';
import type { TestsFailedMessage } from '../contract/tests-failed.ts';
import { attemptDelivery } from '../events/attempt-delivery.ts';
import type { JobHandler } from '../jobs/job-sender.ts';
import type { OutboundFetch } from '../lib/guarded-fetch.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { findAssistant } from '../store/assistants.ts';
import type { Db } from '../store/db.ts';
import { findTestRun } from '../store/test-runs.ts';
import { getTestSuite } from '../store/test-suites.ts';
import type { failedTestsJob } from './failed-tests-job.ts';

interface TellDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly fetch: OutboundFetch;
  readonly log: Log;
}

type FailedTests = NonNullable<(typeof failedTestsJob)['data']>;

/** Sends the webhook about the tests of a run that passed before; rejects to be tried again. */
export function createTellFailedTests(deps: TellDeps): JobHandler<FailedTests> {
  const { db, log } = deps;
  return async ({ teamId, runId }, { signal }) => {
    const run = await findTestRun(db, { teamId, id: runId });
    if (!run || run.suiteId === null) return;
    const assistant = await findAssistant(db, { teamId, id: run.assistantId });
    if (!assistant?.config.assistantServer.enabled) return;
    const suite = await getTestSuite(db, { teamId, id: run.suiteId });
    const { url, headers, secret, timeoutSeconds } = assistant.config.assistantServer;
    const { assistantVersion, summary, results, regressed } = run;
    const message: TestsFailedMessage = {
      type: 'tests-failed',
      timestamp: (run.finishedAt ?? run.createdAt).getTime(),
      assistant: shownAssistant(assistant.id, assistant.config),
      ...(assistantVersion === null ? {} : { assistantVersion }),
      suite: { id: suite.id, title: suite.config.title },
      runId,
      summary,
      tests: results
        .filter((result) => regressed.includes(resultName(result)))
        .map((result) => ({
          name: result.name,
          ...(result.condition === undefined ? {} : { condition: result.condition }),
          status: result.status,
          reasons: [...reasonsOf(result)],
        })),
    };
    const body = JSON.stringify({ message });
    const request = { url, headers, secret, body, timeoutMs: timeoutSeconds * 1000 };
    const { verdict, outcome } = await attemptDelivery(deps, request, { id: runId, signal });
    const said = outcome.error ?? `status ${outcome.httpStatus}`;
    if (verdict === 'failed') throw new Error(`the server did not take the failed tests: ${said}`);
    if (verdict === 'refused') log.warn({ runId }, `failed tests are not told: ${said}`);
  };
}

function reasonsOf({ reason, conditions }: TestResult): readonly string[] {
  const unmet = conditions
    .filter(({ verdict }) => verdict === 'unmet')
    .map(({ turn, condition, detail }) => {
      const where = turn === undefined ? 'The call' : `Turn ${turn}`;
      return `${where}: ${condition}${detail === undefined ? '' : `, but ${detail}`}`;
    });
  return [...(reason === undefined ? [] : [reason]), ...unmet];
}
