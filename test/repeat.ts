import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

// Runs the tests again and again, beside busy loops if asked, and says of each that failed what it said.

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const VITEST = resolve(import.meta.dirname, '../node_modules/vitest/vitest.mjs');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '20' }, busy: { type: 'string', default: '0' } },
});

const folder = await mkdtemp(join(tmpdir(), 'parley-repeat-'));
const loops = Array.from({ length: Number(values.busy) }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
);
let red = 0;
try {
  for (let run = 1; run <= Number(values.times); run++) {
    const path = join(folder, `${run}.json`);
    const since = performance.now();
    const args = ['run', '--reporter=json', `--outputFile.json=${path}`, ...positionals];
    const child = spawn(process.execPath, [VITEST, ...args], { stdio: 'ignore' });
    const code = await new Promise((ended) => child.once('exit', ended));
    const seconds = Math.round((performance.now() - since) / 1000);
    const report = JSON.parse(await readFile(path, 'utf8')) as Report;
    if (code !== 0) red++;
    console.info(
      `${run}: ${code === 0 ? 'green' : 'red'}, ${report.numPassedTests} passed, ${seconds} s`,
    );
    for (const { name, status, message, assertionResults } of report.testResults) {
      const failed = assertionResults.filter((test) => test.status === 'failed');
      for (const { fullName, failureMessages } of failed)
        console.info(`   ${name}: ${fullName}\n${failureMessages.join('\n').slice(0, 2000)}`);
      if (status === 'failed' && failed.length === 0)
        console.info(`   ${name}: could not be run\n${message.slice(0, 2000)}`);
    }
  }
} finally {
  for (const loop of loops) loop.kill();
  await rm(folder, { recursive: true, force: true });
}
console.info(`${red} of ${values.times} runs red`);
process.exitCode = red === 0 ? 0 : 1;
