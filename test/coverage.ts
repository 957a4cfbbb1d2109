import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  eachMapping,
  generatedPositionFor,
  LEAST_UPPER_BOUND,
  TraceMap,
} from '@jridgewell/trace-mapping';
import * as esbuild from 'esbuild';

// Runs the tests, short and long, and says what share of each folder's statements they reach: in the test workers and their
// threads, in the services that they start, and in the pages of the console. Of a `.tsx` file, which runs only in a page,
// lines count. What a killed process had reached is not counted. Arguments name the tests to run.

/** As istanbul writes it. */
interface FileCoverage {
  readonly path: string;
  readonly statementMap: Readonly<Record<string, { readonly start: Place }>>;
  readonly s: Readonly<Record<string, number>>;
}
/** Lines count from 1, columns from 0. */
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
const CONSOLE = join(ROOT, 'src/console');
const COUNT_THREADS = new URL('./support/count-threads.ts', import.meta.url).href;
const SOURCE = pathToFileURL(join(ROOT, 'src/')).href;
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const folder = await mkdtemp(join(tmpdir(), 'parley-coverage-'));

async function run(name: string, env: Readonly<Record<string, string>>): Promise<string> {
  const out = join(folder, name);
  // The tests of what a child process is given fail here.
  const options = [
    'include=src/**/*.ts',
    'reporter=json',
    `reportsDirectory=${out}`,
    'reportOnFailure',
  ];
  const args = ['run', '--coverage.enabled', ...options.map((option) => `--coverage.${option}`)];
  const child = spawn(process.execPath, [VITEST, ...args, ...process.argv.slice(2)], {
    cwd: ROOT,
    // What was compiled before is counted less exactly.
    env: {
      ...process.env,
      NODE_DISABLE_COMPILE_CACHE: '1',
      NODE_V8_COVERAGE: join(folder, 'processes'),
      NODE_OPTIONS: `--import=${COUNT_THREADS}`,
      COVERAGE_FOLDER: folder,
      ...env,
    },
    stdio: 'inherit',
  });
  await new Promise((ended) => child.once('exit', ended));
  return join(out, 'coverage-final.json');
}

/** The script of the console, from whose places those of the sources are found. */
async function buildConsole(): Promise<TraceMap> {
  await esbuild.build({
    entryPoints: [join(CONSOLE, 'app.tsx')],
    ...{ outfile: join(folder, 'app.js'), loader: { '.css': 'empty' }, bundle: true },
    ...{ format: 'esm', target: 'es2022', jsx: 'automatic', jsxImportSource: 'preact' },
    sourcemap: 'external',
    // Without it libraries complain as they do to developers, which no page of a test may.
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  await esbuild.stop();
  return new TraceMap(await readFile(join(folder, 'app.js.map'), 'utf8'), `${folder}/app.js.map`);
}

/** What ran, a file of V8 at a time: together they may be larger than the memory. */
async function* scriptsOf(of: 'processes' | 'pages'): AsyncGenerator<Script> {
  for (const name of await readdir(join(folder, of)).catch(() => []))
    yield* (JSON.parse(await readFile(join(folder, of, name), 'utf8')) as { result: Script[] })
      .result;
}

/** Notes which characters of a script ran: the smallest range around each says so. */
function note(ran: Uint8Array, { functions }: Script): void {
  const own = new Uint8Array(ran.length);
  const ranges = functions.flatMap((one) => one.ranges);
  const sizeOf = (range: (typeof ranges)[number]) => range.endOffset - range.startOffset;
  for (const range of ranges.sort((a, b) => sizeOf(b) - sizeOf(a)))
    own.fill(range.count > 0 ? 1 : 0, range.startOffset, range.endOffset);
  for (let i = 0; i < ran.length; i++) ran[i] = (ran[i] as number) | (own[i] as number);
}

/** Finds the offset of a place in a text. */
function offsetsIn(text: string): (place: Place) => number {
  const starts = [0];
  for (const line of text.split('\n')) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  return ({ line, column }) => (starts[line - 1] ?? 0) + column;
}

try {
  const consoleMap = await buildConsole();
  const reports = [await run('short', {}), await run('long', { LONG_TESTS: '1' })];
  const script = await readFile(join(folder, 'app.js'), 'utf8');
  const offsetInScript = offsetsIn(script);
  const inPages = new Uint8Array(script.length);
  for await (const page of scriptsOf('pages')) note(inPages, page);
  const inProcesses = new Map<string, Uint8Array>();
  for await (const one of scriptsOf('processes')) {
    if (!one.url.startsWith(SOURCE)) continue;
    const path = fileURLToPath(one.url.split('?')[0] as string);
    const ran = inProcesses.get(path) ?? new Uint8Array((await readFile(path, 'utf8')).length);
    inProcesses.set(path, ran);
    note(ran, one);
  }
  const reached = new Map<string, Map<string, boolean>>();
  for (const report of reports) {
    const files = JSON.parse(await readFile(report, 'utf8')) as Record<string, FileCoverage>;
    for (const { path, statementMap, s } of Object.values(files)) {
      // Types are blanked out where a process runs a file, so that places are those of the source.
      const offsetIn = offsetsIn(await readFile(path, 'utf8'));
      const isInPages = (start: Place): boolean => {
        const bias = LEAST_UPPER_BOUND;
        const { line, column } = generatedPositionFor(consoleMap, { source: path, ...start, bias });
        return line !== null && inPages[offsetInScript({ line, column })] === 1;
      };
      const known = reached.get(path) ?? new Map<string, boolean>();
      reached.set(path, known);
      for (const [id, { start }] of Object.entries(statementMap)) {
        const place = `${start.line}:${start.column}`;
        known.set(
          place,
          known.get(place) === true ||
            (s[id] ?? 0) > 0 ||
            inProcesses.get(path)?.[offsetIn(start)] === 1 ||
            isInPages(start),
        );
      }
    }
  }
  eachMapping(
    consoleMap,
    ({ source, originalLine, generatedLine: line, generatedColumn: column }) => {
      if (!source?.endsWith('.tsx')) return;
      const known = reached.get(source) ?? new Map<string, boolean>();
      reached.set(source, known);
      const place = `${originalLine}`;
      known.set(
        place,
        known.get(place) === true || inPages[offsetInScript({ line, column })] === 1,
      );
    },
  );
  const folders = new Map<string, { all: number; reached: number; low: string[] }>();
  for (const [path, places] of reached) {
    const name = relative(join(ROOT, 'src'), path);
    const key = name.includes('/') ? (name.split('/')[0] as string) : '.';
    const sum = folders.get(key) ?? { all: 0, reached: 0, low: [] };
    const count = [...places.values()].filter(Boolean).length;
    sum.all += places.size;
    sum.reached += count;
    if (count < 0.8 * places.size) {
      const missed = [...places].filter(([, isReached]) => !isReached).map(([place]) => place);
      const lines = [...new Set(missed.map((place) => place.split(':')[0]))];
      sum.low.push(`${name} ${count}/${places.size}: lines ${lines.join(' ')}`);
    }
    folders.set(key, sum);
  }
  for (const [name, { all, reached: count, low }] of [...folders].sort()) {
    console.info(`${name.padEnd(12)} ${((100 * count) / Math.max(1, all)).toFixed(1)} % of ${all}`);
    for (const file of low.sort()) console.info(`    ${file}`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
