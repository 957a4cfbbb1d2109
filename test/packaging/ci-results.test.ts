import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const RESULTS = resolve(import.meta.dirname, '../../.ci/results.mjs');

test('the summary names what failed at the first try too: the second may have failed by what that left behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-results-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const report = join(folder, 'report.json');
  const tried = (title: string, status: string, ...failureMessages: string[]) => ({
    ...{ fullName: title, status, failureMessages },
  });
  const assertionResults = [
    tried('a tool is made', 'failed', 'Error: the page is late', 'Error: the name is taken'),
    tried('a call is heard', 'failed', 'Error: silence', 'Error: silence'),
    tried('a number is bought', 'passed', 'Error: the carrier is late'),
    tried('a key is made', 'passed'),
  ];
  const testResults = [{ name: 'console.test.ts', status: 'failed', assertionResults }];
  await writeFile(report, JSON.stringify({ testResults }));
  const printed = execFileSync(process.execPath, [RESULTS, 'summary', report], {
    encoding: 'utf8',
  });
  expect(printed.trim().split('\n')).toEqual([
    'passed only at the second try: a number is bought: Error: the carrier is late',
    'failed: console.test.ts: a tool is made: Error: the page is late, then: Error: the name is taken; ' +
      'a call is heard: Error: silence',
    '2 passed, 2 failed',
  ]);
});
