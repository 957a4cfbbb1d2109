import { invalid, type Problem } from '../contract/errors.ts';
import type { TestFault } from './parse-tests.ts';

/** The refusal of a text of tests that has faults. */
export function refusedTests(faults: readonly TestFault[]): Problem {
  return invalid(
    faults.map(({ line, column, field, message }) => ({
      path: 'source',
      message: `line ${line}:${column}: ${field === '' ? '' : `${field} `}${message}`,
    })),
  );
}
