import type { AssistantTestResult } from '../../src/client/api.generated.ts';

type Judged = Pick<AssistantTestResult, 'name' | 'reason' | 'conditions'>;

/** What is not as it was expected: the name of each test with what broke it, or with what was not met. */
export const unmetIn = (results: readonly Judged[]): readonly string[] =>
  results.flatMap(({ name, reason, conditions }) =>
    [
      ...(reason === undefined ? [] : [reason]),
      ...conditions.filter(({ verdict }) => verdict !== 'met').map(({ detail }) => detail),
    ].map((what) => `${name}: ${what}`),
  );
