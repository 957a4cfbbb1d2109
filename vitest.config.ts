import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { isLong } from './test/support/effort.ts';
import { freeCores } from './test/support/free-cores.ts';
import { filesWithoutLongForm } from './test/support/long-files.ts';
import { LongestFirst } from './test/support/longest-first.ts';

/** Somebody speaks, and a recogniser, a browser or many calls side by side have to keep up: only in the long run. */
const REAL_TIME = isLong
  ? [
      'test/{console,sound,web-client}/*.long.test.ts',
      'test/telephone/{transfers,warm-transfers}.test.ts',
      'test/cli/call-command.test.ts',
    ]
  : [];

/** Services are started and stopped, and conversations take their time. */
const WAITING = [
  'test/{abuse,cli,failover,failures,jobs,service,store/embedded,telephone}/**/*.test.ts',
];

/** More of them than there are cores, since mostly they wait; half as many beside programs that take the cores. */
const WAITING_WORKERS = (await freeCores()) < 1 ? 2 : 4;

/** Measure their own process. */
const ALONE = ['test/abuse/patterns.test.ts', 'test/knowledge/hostile-files.test.ts'];

/** Need software that is not ours, and have commands of their own. */
const REAL_SYSTEMS = ['test/real/**'];

/** What `npm run test:long` runs is left out of `npm test`, and what has no long form of that. */
const LEFT_OUT = [
  ...configDefaults.exclude,
  ...(isLong ? filesWithoutLongForm() : ['**/*.long.test.ts']),
];

// What one worker has compiled, the others need not, nor those of the next run.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/tests');

/** Packages of many files are resolved with less work than Node's, as in the service: a second less for each worker. */
const QUICK_RESOLVE = pathToFileURL(join(import.meta.dirname, 'src/lib/quick-resolve.ts')).href;

export default defineConfig({
  test: {
    execArgv: ['--import', QUICK_RESOLVE],
    // Node runs the code as it is, as it runs the service: nothing is rewritten for Vite. Nothing is mocked either.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Deadlines are for what never happens: on a busy machine all else may be late.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // What was there instead, which is all that is known of a failure in CI; by default 40 characters of it.
    chaiConfig: { truncateThreshold: 600 },
    // Calls that run side by side mostly wait.
    maxConcurrency: 8,
    sequence: { sequencer: LongestFirst },
    globalSetup: [
      'test/support/database-engines.ts',
      'test/support/shared-browser.ts',
      'test/support/start-shared-service.ts',
    ],
    projects: [
      {
        // One context a worker, which loads the code once.
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...LEFT_OUT, ...WAITING, ...ALONE, ...REAL_TIME, ...REAL_SYSTEMS],
          isolate: false,
          // Two cores: more workers than cores make everything late.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE,
          exclude: LEFT_OUT,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'waiting',
          include: WAITING,
          exclude: [...LEFT_OUT, ...ALONE, ...REAL_TIME],
          isolate: false,
          maxWorkers: WAITING_WORKERS,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // After the others, and one by one: a busy machine is late, and says nothing of the service.
        extends: true,
        test: {
          name: 'real time',
          include: REAL_TIME,
          exclude: LEFT_OUT,
          maxWorkers: 1,
          // A machine that does other things for a moment says nothing of the service either.
          retry: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
