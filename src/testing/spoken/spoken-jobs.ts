import type { AssistantTest } from '../../contract/assistant-test.ts';
import { LINE_CONDITIONS, type LineCondition } from './manners.ts';

/** Each test in each of the named conditions, or in all. Pure. */
export function spokenJobs(
  tests: readonly AssistantTest[],
  names: readonly string[],
): readonly { readonly test: AssistantTest; readonly condition: LineCondition }[] {
  return conditionsNamed(names).flatMap((condition) => tests.map((test) => ({ test, condition })));
}

/** The conditions of these names, all if there are none. */
export const conditionsNamed = (names: readonly string[]): readonly LineCondition[] =>
  names.length === 0 ? LINE_CONDITIONS : LINE_CONDITIONS.filter(({ name }) => names.includes(name));
