import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders of tests that mostly wait: for services to start and stop, and for conversations. */
export const WAITING_FOLDERS = [
  ...['abuse', 'cli', 'failover', 'failures', 'jobs', 'service', 'store/embedded', 'telephone'],
];
const WAITS = new RegExp(`/test/(?:${WAITING_FOLDERS.join('|')})/`);

/** Files that take long, the longest first: begun last, each would keep one worker while the others have no more to do. */
const LONGEST = [
  'failover/partitions.long',
  'failover/rolling-restart.long',
  'failover/phone-calls.long',
  'service/kill-events.long',
  'failover/handsets.long',
  'service/backup.long',
  'service/encryption.long',
  'service/bundled-code',
  'telephone/warm-transfers',
  'failover/web-calls',
  'cli/call-command',
  'service/nodes',
  'service/processes',
  'service/drain',
  'service/capacity',
  'service/kill',
  'cli/assistant-test',
  'store/embedded/binaries',
  'service/tool-servers',
  'cli/run-call',
  'store/embedded/embedded-server',
  'telephone/sound-path',
  'service/model-faults',
  'abuse/sweep',
  'telephone/asterisk',
  'telephone/text-answers',
  'jobs/jobs',
  'telephone/phone-calls',
  'telephone/transfers',
  'telephone/handsets',
  'service/teams',
  'abuse/tls',
  'store/embedded/kill',
  'service/mcp-tools',
  'service/tracing',
  'service/bucket',
  'service/full-disk.long',
  'service/training.long',
  'abuse/spoken-run.long',
  'abuse/patterns',
  'knowledge/hostile-files',
  'testing/spoken-runs',
  'console/call-pages',
  'console/console-page',
  'console/knowledge-pages',
  'testing/spoken-operators',
  'session/killed-in-every-state',
  'packaging/libraries',
  'docs/site',
  'console/numbers-pages',
  'console/assistant-editor',
  'console/tests-pages',
  'console/kit',
];

/**
 * Starts the longest files of each project first, also where no earlier run has measured them, and spreads those that wait
 * among those that compute: neither core has too much to do, nor nothing.
 */
export class SpreadOut extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at < 0 ? LONGEST.length : at;
    };
    const waits = ({ moduleId }: TestSpecification) => WAITS.test(moduleId);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted
        .filter((file) => file.project === project)
        .toSorted((a, b) => rank(a) - rank(b));
      return spread(
        own.filter(waits),
        own.filter((file) => !waits(file)),
      );
    });
  }
}

/** Both lists as one, in which each keeps its order and is spread evenly over the whole. */
function spread<Item>(some: readonly Item[], others: readonly Item[]): Item[] {
  return [some, others]
    .flatMap((list) => list.map((item, i) => ({ item, at: (i + 0.5) / list.length })))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
