// Looks for faults without running the code, all at once: one core checks types while the other reads files.
import { spawn } from 'node:child_process';

const CHECKS = ['biome check', 'npm run -s typecheck', 'vitest run test/architecture.test.ts'];

const run = (command) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => output.push(data));
    child.on('error', reject);
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });

const passed = await Promise.all(CHECKS.map(run));
const failed = CHECKS.filter((_, i) => !passed[i]);
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
