// Reads the test runner's JSON reports.
//   node .ci/results.mjs failed REPORT      prints the files that failed, one a line
//   node .ci/results.mjs summary REPORT...  names what failed or passed only later, then 'N passed, N failed'
// Files of a report that is given as again:REPORT count in place of what they were in the report before it.
import { readFileSync } from 'node:fs';

const [what, ...paths] = process.argv.slice(2);
const read = (path) => JSON.parse(readFileSync(path, 'utf8')).testResults;
const firstLines = (text) => (text ?? '').split('\n').slice(0, 4).join(' ');

if (what === 'failed') {
  for (const { name, status } of paths.flatMap(read)) if (status === 'failed') console.log(name);
} else {
  const results = [];
  for (const path of paths) {
    const again = path.startsWith('again:');
    for (const file of read(path.replace(/^again:/, ''))) {
      const earlier = again ? results.findLastIndex(({ name }) => name === file.name) : -1;
      if (earlier < 0) results.push(file);
      else {
        console.log(`run again, alone: ${file.name}: ${whatFailed(results[earlier])}`);
        results[earlier] = file;
      }
    }
  }

  let passed = 0;
  let failed = 0;
  for (const file of results) {
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
    .map(
      // The first attempt's comes first: the next may have failed by what that one left behind.
      ({ fullName, failureMessages }) =>
        `${fullName}: ${[...new Set(failureMessages.map(firstLines))].join(', then: ')}`,
    )
    .join('; ');
}
