import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/** A recogniser or a browser has to keep up with somebody who speaks. */
const REAL_TIME = [
  'test/sound/**/*.test.ts',
  'test/console/{offline-call,newcomer,live-call-page}.test.ts',
];

/** Pure tests and those of the store and the API, which share nothing but code: they run in one context a worker, which loads that code once. */
const SHARED = [
  'test/{analysis,audio,contract,engine,session,lib,telemetry,turns}/**/*.test.ts',
  'test/{calls,carriers,config,gateway,tools,web-client}/**/*.test.ts',
  'test/{api,client,cluster,conformance,events,official,store}/*.test.ts',
];

/** Services are started and stopped, and conversations take their time. */
const WAITING = ['test/{cli,failover,failures,jobs,service,store/embedded,telephone}/**/*.test.ts'];

/** Many spoken calls side by side, which wait more than they compute. */
const SIDE_BY_SIDE = [
  'test/telephone/{transfers,warm-transfers}.test.ts',
  'test/cli/call-command.test.ts',
];

/** Need software that is not ours, and have commands of their own. */
const REAL_SYSTEMS = ['test/real/**'];

export default defineConfig({
  test: {
    // Deadlines are for what never happens: on a busy machine all else may be late.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
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
        extends: true,
        test: {
          name: 'shared',
          include: SHARED,
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
          exclude: [
            ...configDefaults.exclude,
            ...SHARED,
            ...WAITING,
            ...REAL_TIME,
            ...REAL_SYSTEMS,
          ],
          // Two cores: more workers than cores make everything late.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Mostly they wait: more of them than there are cores.
        extends: true,
        test: {
          name: 'waiting',
          include: WAITING,
          exclude: [...configDefaults.exclude, ...SIDE_BY_SIDE],
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // After the others, and one by one: a busy machine is late, and says nothing of the service.
        extends: true,
        test: {
          name: 'real time',
          include: [...SIDE_BY_SIDE, ...REAL_TIME],
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
