import type { JobKind } from '../jobs/job-sender.ts';

interface FailedTests {
  readonly teamId: string;
  readonly runId: string;
}

/** Tells the server of an assistant that tests fail which passed the night before. */
export const failedTestsJob: JobKind<FailedTests> = {
  name: 'tell-failed-tests',
  timeoutMs: 120_000,
  retries: 8,
  retryDelayMs: 30_000,
  maxRetryDelayMs: 30 * 60_000,
};
