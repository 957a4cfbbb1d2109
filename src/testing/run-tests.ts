import type { AssistantTest } from '../contract/assistant-test.ts';
import type { TestResult } from '../contract/assistant-test-result.ts';
import type { SpentBudget } from './budget.ts';
import { brokenTest, runTest, type TestDeps } from './run-test.ts';
import type { Tested } from './tested.ts';

interface Options {
  readonly seed: number;
  readonly budget: Pick<SpentBudget, 'isSpent'>;
  readonly signal: AbortSignal;
  /** Called after each test with the results so far. */
  readonly onResult?: (done: number) => void;
}

/** A model that answers over the network is asked for several tests at once. */
const AT_ONCE = 8;

/** Runs tests and resolves with their results in the order of the tests. Rejects only with the signal. */
export async function runTests(
  deps: TestDeps,
  tests: readonly AssistantTest[],
  tested: Tested,
  { seed, budget, signal, onResult }: Options,
): Promise<readonly TestResult[]> {
  const results: TestResult[] = [];
  let next = 0;
  let done = 0;
  const work = async () => {
    for (let at = next++; at < tests.length; at = next++) {
      const test = tests[at] as AssistantTest;
      results[at] = budget.isSpent
        ? brokenTest(test.name, 'the budget of the run was spent', 'not-run')
        : await runTest(deps, test, tested, { seed, signal });
      onResult?.(++done);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, tests.length) }, work));
  return results;
}
