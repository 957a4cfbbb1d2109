import { expect, test } from 'vitest';
import type { TestRunSummary } from '../../src/client/api.generated.ts';
import { failingIn, scoresOf } from '../../src/console/tests/test-names.ts';

const spoken = { conditions: ['noise' as const] };
const run = (fields: Partial<TestRunSummary>): TestRunSummary =>
  ({
    ...{ suiteId: 's', by: 'nightly', status: 'finished', regressed: [], assistantVersion: 1 },
    summary: { tests: 2, passed: 1 },
    ...fields,
  }) as TestRunSummary;
const red = { id: 'red', regressed: ['a'] };

test('tests that failed at night stand until a later run of the same kind, or the next night', () => {
  const ids = (...runs: TestRunSummary[]) => failingIn(runs).map(({ id }) => id);
  expect(ids(run(red))).toEqual(['red']);
  expect(ids(run({ by: 'request' }), run(red))).toEqual([]);
  expect(ids(run({ by: 'request', spoken }), run(red))).toEqual(['red']);
  expect(ids(run({ by: 'request', status: 'running' }), run(red))).toEqual(['red']);
  expect(ids(run({ by: 'request' }), run({ ...red, spoken }))).toEqual(['red']);
  expect(ids(run({ by: 'request', spoken }), run({ ...red, spoken }))).toEqual([]);
  expect(ids(run({ spoken }), run(red))).toEqual([]);
  expect(ids(run({ suiteId: 'other' }), run(red))).toEqual(['red']);
});

test('scores of versions count the runs without sound', () => {
  const better = run({ summary: { tests: 2, passed: 2 } as TestRunSummary['summary'] });
  expect(scoresOf([run({ spoken }), better, run({})])).toEqual([
    { version: 1, passed: 2, tests: 2 },
  ]);
});
