import type { AssistantTest } from '../contract/assistant-test.ts';
import type { TestResult } from '../contract/assistant-test-result.ts';
import type { SpentBudget } from './budget.ts';
import { brokenTest } from './test-result.ts';

interface Options<Job> {
  /** A model that answers over the network is asked for several tests at once. */
  readonly atOnce: number;
  readonly budget: Pick<SpentBudget, 'isSpent'>;
  readonly run: (job: Job) => Promise<TestResult>;
}

/** Runs tests and resolves with their results in the order of the tests. Rejects only if `run` does. */
export async function runTests<Job extends { readonly test: AssistantTest }>(
  jobs: readonly Job[],
  { atOnce, budget, run }: Options<Job>,
): Promise<readonly TestResult[]> {
  const results: TestResult[] = [];
  let next = 0;
  const work = async () => {
    for (let at = next++; at < jobs.length; at = next++) {
      const job = jobs[at] as Job;
      results[at] = budget.isSpent
        ? brokenTest(job.test.name, 'the budget of the run was spent', 'not-run')
        : await run(job);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, jobs.length) }, work));
  return results;
}
