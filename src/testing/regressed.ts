import { resultName, type TestResult } from '../contract/assistant-test-result.ts';

type Outcome = Pick<TestResult, 'name' | 'status' | 'condition'>;

/** The names of the tests that passed before and fail now. What was not judged or not run says nothing. */
export function regressedTests(
  before: readonly Outcome[],
  now: readonly Outcome[],
): readonly string[] {
  const passed = new Set(before.filter(({ status }) => status === 'passed').map(resultName));
  return now
    .filter(({ status }) => status === 'failed' || status === 'broken')
    .map(resultName)
    .filter((name) => passed.has(name));
}
