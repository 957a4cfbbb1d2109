import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '../bench/turns/random.ts';
import { findMutants, type Mutant } from './mutants.ts';

// Puts small faults into the source, one at a time, and sees whether the tests find them. Nothing on disk changes.

const ROOT = resolve(import.meta.dirname, '../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
/** A fault that makes a test run for ever is found too. */
const MAX_MS = 90_000;
/** Most faults are found by tests that take no longer than this together. */
const QUICK_MS = 2_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    sample: { type: 'string', default: '50' },
    tests: { type: 'string', default: 'test/engine,test/session' },
  },
});
const places = positionals.length > 0 ? positionals : ['src/engine', 'src/session'];

/** The faults that can be put into a folder, a file, or one line of it: `src/engine/reply/reply.ts:213`. */
function mutantsAt(place: string): readonly Mutant[] {
  const [path = '', line] = place.split(':');
  const isFile = path.endsWith('.ts');
  const names = isFile
    ? ['']
    : readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' });
  return names
    .map((name) => join(ROOT, path, name))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .sort()
    .flatMap((file) => findMutants(file, readFileSync(file, 'utf8')))
    .filter((mutant) => !line || mutant.line === Number(line));
}

const mutants = places.flatMap(mutantsAt);

/** What the tests of one file reach of the places drawn, by their index. */
interface Reach {
  readonly file: string;
  readonly reached: readonly number[];
  readonly ms: number;
}

/** True if no test fails. */
function passes(env: Readonly<Record<string, string>>, tests: readonly string[]): Promise<boolean> {
  const config = join(import.meta.dirname, 'vitest.config.ts');
  const args = ['run', '--config', config, '--root', ROOT, '--bail', '1', '--reporter', 'dot'];
  const child = spawn(process.execPath, [VITEST, ...args, ...tests], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: 'ignore',
    // A group of its own: a worker that runs for ever would outlive the process that started it.
    detached: true,
  });
  const late = setTimeout(() => process.kill(-(child.pid as number), 'SIGKILL'), MAX_MS);
  return new Promise((resolve) =>
    child.once('exit', (code) => {
      clearTimeout(late);
      resolve(code === 0);
    }),
  );
}

/** Runs all tests once, with probes in place of faults. */
async function findReaches(drawn: readonly Mutant[], tests: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-mutation-'));
  const path = join(folder, 'reached');
  const env = { PROBED: JSON.stringify(drawn), REACHED_FILE: path };
  try {
    if (!(await passes(env, tests))) throw new Error('the tests fail without any fault');
    const lines = (await readFile(path, 'utf8')).trim().split('\n');
    return lines.map((line) => JSON.parse(line) as Reach).sort((a, b) => a.ms - b.ms);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The files whose tests may find a fault, the quick ones first; all of them where no probe could be put. */
function batchesFor(index: number, mutant: Mutant, reaches: readonly Reach[]) {
  const all = reaches.filter(({ reached }) => !mutant.probe || reached.includes(index));
  let ms = 0;
  const quick = all.filter((reach) => {
    ms += reach.ms;
    return ms < QUICK_MS;
  });
  const batches = [quick, all.slice(quick.length)];
  return batches.filter((batch) => batch.length > 0).map((batch) => batch.map(({ file }) => file));
}

const random = new Random(Number(values.seed));
const left = [...mutants];
const count = Math.min(Number(values.sample), left.length);
const drawn = Array.from(
  { length: count },
  () => left.splice(Math.floor(random.next() * left.length), 1)[0] as Mutant,
);
const reaches = await findReaches(drawn, values.tests.split(','));
let killed = 0;
for (const [i, mutant] of drawn.entries()) {
  const batches = batchesFor(i, mutant, reaches);
  let isAlive = true;
  for (const tests of batches)
    isAlive = isAlive && (await passes({ MUTANT: JSON.stringify(mutant) }, tests));
  if (!isAlive) killed++;
  const { file, line, start, end, replacement } = mutant;
  const was = readFileSync(file, 'utf8').slice(start, end).replaceAll(/\s+/g, ' ');
  const what = `${relative(ROOT, file)}:${line}  ${was}  →  ${replacement}`;
  const outcome = isAlive ? (batches.length > 0 ? 'SURVIVED' : 'UNREACHED') : 'killed  ';
  console.info(`${outcome} ${what}`);
}
const share = ((100 * killed) / count).toFixed(0);
console.info(
  `${killed} of ${count} killed, ${share} %; seed ${values.seed}, ${mutants.length} places`,
);
