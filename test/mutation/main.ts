import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '../bench/turns/random.ts';
import { findMutants, type Mutant } from './mutants.ts';

// Puts small faults into the source, one at a time, and sees whether the tests find them. Nothing on disk changes.

const ROOT = resolve(import.meta.dirname, '../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
/** A fault that makes a test run for ever is found too. */
const MAX_MS = 600_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    sample: { type: 'string', default: '50' },
    tests: { type: 'string', default: 'test/engine,test/session' },
  },
});
const folders = positionals.length > 0 ? positionals : ['src/engine', 'src/session'];

const mutants = folders.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .sort()
    .flatMap((name) => {
      const file = join(ROOT, folder, name);
      return findMutants(file, readFileSync(file, 'utf8'));
    }),
);

/** True if no test fails. */
function survives(mutant: Mutant | undefined): Promise<boolean> {
  const config = join(import.meta.dirname, 'vitest.config.ts');
  const args = ['run', '--config', config, '--root', ROOT, '--bail', '1', '--reporter', 'dot'];
  const child = spawn(process.execPath, [VITEST, ...args, ...values.tests.split(',')], {
    cwd: ROOT,
    env: { ...process.env, MUTANT: JSON.stringify(mutant ?? null) },
    stdio: 'ignore',
    timeout: MAX_MS,
  });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code === 0)));
}

if (!(await survives(undefined))) throw new Error('the tests fail without any fault');
const random = new Random(Number(values.seed));
const left = [...mutants];
const count = Math.min(Number(values.sample), left.length);
let killed = 0;
for (let i = 0; i < count; i++) {
  const [mutant] = left.splice(Math.floor(random.next() * left.length), 1) as [Mutant];
  const isAlive = await survives(mutant);
  if (!isAlive) killed++;
  const { file, line, start, end, replacement } = mutant;
  const was = readFileSync(file, 'utf8').slice(start, end).replaceAll(/\s+/g, ' ');
  const what = `${relative(ROOT, file)}:${line}  ${was}  →  ${replacement}`;
  console.info(`${isAlive ? 'SURVIVED' : 'killed  '} ${what}`);
}
const share = ((100 * killed) / count).toFixed(0);
console.info(
  `${killed} of ${count} killed, ${share} %; seed ${values.seed}, ${mutants.length} places`,
);
