import type { JobKind } from '../jobs/job-sender.ts';

/** Answering what a correspondent has texted to a number: one job each, whatever number of texts it is about. */
export const answerText: JobKind<{
  readonly teamId: string;
  readonly numberId: string;
  readonly userNumber: string;
}> = {
  name: 'answer-text',
  timeoutMs: 75_000,
  retries: 6,
  retryDelayMs: 2_000,
  maxRetryDelayMs: 120_000,
};
