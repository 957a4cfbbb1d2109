import type { AssistantTest } from '../contract/assistant-test.ts';
import type { LineConditionName, TestResult } from '../contract/assistant-test-result.ts';
import { brokenTest } from './test-result.ts';

interface Options<Job> {
  /** A model that answers over the network is asked for several tests at once. */
  readonly atOnce: number;
  /** Why the tests that are left are not run; undefined: they are. */
  readonly over: () => string | undefined;
  readonly run: (job: Job) => Promise<TestResult>;
}

/** A test; a spoken one once in each condition. */
interface TestJob {
  readonly test: AssistantTest;
  readonly condition?: { readonly name: LineConditionName };
}

/** Runs tests and resolves with their results in the order of the tests. Rejects only if `run` does. */
export async function runTests<Job extends TestJob>(
  jobs: readonly Job[],
  { atOnce, over, run }: Options<Job>,
): Promise<readonly TestResult[]> {
  const results: TestResult[] = [];
  let next = 0;
  const work = async () => {
    for (let at = next++; at < jobs.length; at = next++) {
      const job = jobs[at] as Job;
      const reason = over();
      results[at] = reason === undefined ? await run(job) : notRun(job, reason);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, jobs.length) }, work));
  return results;
}

const notRun = ({ test, condition }: TestJob, reason: string): TestResult => ({
  ...brokenTest(test.name, reason, 'not-run'),
  ...(condition ? { condition: condition.name } : {}),
});
