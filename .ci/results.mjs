// Reads the test runner's JSON reports.
//   node .ci/results.mjs failed REPORT      prints the files that failed, one a line
//   node .ci/results.mjs summary REPORT...  names what failed or passed only later, then 'N passed, N failed'
// A file that is in several reports counts as in the last of them.
import { readFileSync } from 'node:fs';

const [what, ...paths] = process.argv.slice(2);
const results = paths.flatMap((path) => JSON.parse(readFileSync(path, 'utf8')).testResults);
const firstLines = (text) => (text ?? '').split('\n').slice(0, 4).join(' ');

if (what === 'failed') {
  for (const { name, status } of results) if (status === 'failed') console.log(name);
} else {
  const last = new Map(results.map((file) => [file.name, file]));
  for (const file of results)
    if (last.get(file.name) !== file)
      console.log(`run again, alone: ${file.name}: ${whatFailed(file)}`);

  let passed = 0;
  let failed = 0;
  for (const file of last.values()) {
    for (const { status, fullName, failureMessages } of file.assertionResults) {
      if (status === 'passed') passed++;
      if (status === 'passed' && failureMessages.length > 0)
        console.log(
          `passed only at the second try: ${fullName}: ${firstLines(failureMessages[0])}`,
        );
    }
    const failures = file.assertionResults.filter(({ status }) => status === 'failed');
    // A file that could not even be collected, or whose set-up failed, counts as a failure.
    failed += file.status === 'failed' ? Math.max(1, failures.length) : 0;
    if (file.status === 'failed') console.log(`failed: ${file.name}: ${whatFailed(file)}`);
  }
  console.log(`${passed} passed, ${failed} failed`);
}

function whatFailed(file) {
  const failures = file.assertionResults.filter(({ status }) => status === 'failed');
  if (failures.length === 0) return firstLines(file.message);
  return failures
    .map(({ fullName, failureMessages }) => `${fullName}: ${firstLines(failureMessages.at(-1))}`)
    .join('; ');
}
