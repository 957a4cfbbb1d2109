import { configDefaults, defineConfig } from 'vitest/config';

/** Tests that live in real time: what a caller hears, and when. */
const REAL_TIME = [
  'test/sound/**/*.test.ts',
  'test/console/offline-call.test.ts',
  'test/service/model-faults.test.ts',
  'test/telephone/warm-transfers.test.ts',
];

/** Tests that share nothing but code: they run in one context a worker, which loads that code once. */
const PURE = ['test/{analysis,audio,contract,engine,session,lib,telemetry,turns}/**/*.test.ts'];

/** Need software that is not ours, and have commands of their own. */
const REAL_SYSTEMS = ['test/real/**'];

export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // What a page shows after a click may be late on a busy machine, too.
    expect: { poll: { timeout: 10_000 } },
    // Calls that run side by side mostly wait.
    maxConcurrency: 12,
    globalSetup: ['test/support/database-engines.ts', 'test/support/shared-browser.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: PURE,
          exclude: [...configDefaults.exclude, ...REAL_TIME],
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...PURE, ...REAL_TIME, ...REAL_SYSTEMS],
          // Two cores: more workers than cores make everything late.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // After the others and one by one: a busy machine is late, and says nothing of the service.
        extends: true,
        test: {
          name: 'real time',
          include: REAL_TIME,
          maxWorkers: 1,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
