import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// Runs the tests, short and long, and says what share of each folder's statements they reach, in the test workers and in
// the services that they start. What a killed process had reached is not counted. Arguments name the tests to run.

/** As istanbul writes it. */
interface FileCoverage {
  readonly path: string;
  readonly statementMap: Readonly<Record<string, { readonly start: Place }>>;
  readonly s: Readonly<Record<string, number>>;
}
interface Place {
  readonly line: number;
  readonly column: number;
}
/** As V8 writes it: each range says how often it ran, unless one within it does. */
interface Script {
  readonly url: string;
  readonly functions: readonly {
    readonly ranges: readonly {
      readonly startOffset: number;
      readonly endOffset: number;
      readonly count: number;
    }[];
  }[];
}

const ROOT = resolve(import.meta.dirname, '..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const folder = await mkdtemp(join(tmpdir(), 'parley-coverage-'));
const services = join(folder, 'services');

async function run(name: string, env: Readonly<Record<string, string>>): Promise<string> {
  const out = join(folder, name);
  const options = ['include=src/**/*.ts', 'reporter=json', `reportsDirectory=${out}`];
  const args = ['run', '--coverage.enabled', ...options.map((option) => `--coverage.${option}`)];
  const child = spawn(process.execPath, [VITEST, ...args, ...process.argv.slice(2)], {
    cwd: ROOT,
    // What was compiled before is counted less exactly.
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1', SERVICE_COVERAGE: services, ...env },
    stdio: 'inherit',
  });
  await new Promise((ended) => child.once('exit', ended));
  return join(out, 'coverage-final.json');
}

/** Files of the service, each with what every process ran of it. */
async function readServices(): Promise<Map<string, Script['functions'][]>> {
  const found = new Map<string, Script['functions'][]>();
  for (const name of await readdir(services).catch(() => [])) {
    const { result } = JSON.parse(await readFile(join(services, name), 'utf8')) as {
      readonly result: readonly Script[];
    };
    for (const { url, functions } of result) {
      if (!url.startsWith('file:')) continue;
      const path = fileURLToPath(url.split('?')[0] as string);
      if (path.startsWith(join(ROOT, 'src')))
        found.set(path, [...(found.get(path) ?? []), functions]);
    }
  }
  return found;
}

/** How often V8 ran what stands at an offset: the smallest range around it says so. */
function countAt(functions: Script['functions'], offset: number): number {
  let smallest = Number.POSITIVE_INFINITY;
  let count = 0;
  for (const { ranges } of functions)
    for (const { startOffset, endOffset, count: ran } of ranges) {
      const size = endOffset - startOffset;
      if (offset < startOffset || offset >= endOffset || size > smallest) continue;
      smallest = size;
      count = ran;
    }
  return count;
}

try {
  const reports = [await run('short', {}), await run('long', { LONG_TESTS: '1' })];
  const inServices = await readServices();
  const reached = new Map<string, Map<string, boolean>>();
  for (const report of reports) {
    const files = JSON.parse(await readFile(report, 'utf8')) as Record<string, FileCoverage>;
    for (const { path, statementMap, s } of Object.values(files)) {
      // Types are blanked out where a service runs a file, so that places are those of the source.
      const starts = [0];
      for (const line of (await readFile(path, 'utf8')).split('\n'))
        starts.push((starts.at(-1) ?? 0) + line.length + 1);
      const runs = inServices.get(path) ?? [];
      const known = reached.get(path) ?? new Map<string, boolean>();
      reached.set(path, known);
      for (const [id, { start }] of Object.entries(statementMap)) {
        const place = `${start.line}:${start.column}`;
        const offset = (starts[start.line - 1] ?? 0) + start.column;
        const isReached =
          (s[id] ?? 0) > 0 || runs.some((functions) => countAt(functions, offset) > 0);
        known.set(place, isReached || known.get(place) === true);
      }
    }
  }
  const folders = new Map<string, { all: number; reached: number; low: string[] }>();
  for (const [path, places] of reached) {
    const name = relative(join(ROOT, 'src'), path);
    const key = name.includes('/') ? (name.split('/')[0] as string) : '.';
    const sum = folders.get(key) ?? { all: 0, reached: 0, low: [] };
    const count = [...places.values()].filter(Boolean).length;
    sum.all += places.size;
    sum.reached += count;
    if (count < 0.8 * places.size) sum.low.push(`${name} ${count}/${places.size}`);
    folders.set(key, sum);
  }
  for (const [name, { all, reached: count, low }] of [...folders].sort()) {
    console.info(`${name.padEnd(12)} ${((100 * count) / Math.max(1, all)).toFixed(1)} % of ${all}`);
    for (const file of low) console.info(`    ${file}`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
