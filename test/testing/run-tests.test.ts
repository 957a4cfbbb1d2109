import { expect, test } from 'vitest';
import { parseTests } from '../../src/testing/parse-tests.ts';
import { runTests } from '../../src/testing/run-tests.ts';
import { spokenJobs } from '../../src/testing/spoken/spoken-jobs.ts';
import { brokenTest } from '../../src/testing/test-result.ts';

test('what is left when the time of a run is over is not run, and says so in each condition', async () => {
  const parsed = parseTests('tests: [{name: a, turns: [{say: x}]}, {name: b, turns: [{say: x}]}]');
  const jobs = spokenJobs(parsed.ok ? parsed.tests : [], ['clean', 'noise']);
  let ran = 0;
  const results = await runTests(jobs, {
    atOnce: 1,
    over: () => (ran < 3 ? undefined : 'the run took longer than 50 minutes'),
    run: async ({ test: { name }, condition }) => {
      ran++;
      return { ...brokenTest(name, ''), status: 'passed', condition: condition.name };
    },
  });
  expect(
    results.map(({ name, status, condition, reason }) => [name, condition, status, reason]),
  ).toEqual([
    ['a', 'clean', 'passed', ''],
    ['b', 'clean', 'passed', ''],
    ['a', 'noise', 'passed', ''],
    ['b', 'noise', 'not-run', 'the run took longer than 50 minutes'],
  ]);
});
