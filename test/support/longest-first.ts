import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long, the longest first: begun last, each would keep one worker while the others have no more to do. */
const LONGEST = [
  'failover/partitions.long',
  'failover/rolling-restart.long',
  'failover/web-calls',
  'failover/phone-calls.long',
  'service/kill-events.long',
  'failover/handsets.long',
  'service/bundled-code.long',
  'service/nodes.long',
  'cli/call-command',
  'telephone/warm-transfers',
  'service/backup.long',
  'service/drain',
  'cli/assistant-test',
  'telephone/transfers',
  'service/teams',
  'service/processes',
  'service/tool-servers',
  'service/capacity',
  'service/encryption.long',
  'service/kill.long',
  'store/embedded/kill',
  'store/embedded/embedded-server',
  'service/tracing',
  'service/bucket.long',
  'service/full-disk.long',
  'service/training.long',
  'telephone/asterisk',
  'cli/run-call',
  'telephone/text-answers',
  'jobs/jobs',
  'service/model-faults',
  'abuse/spoken-run.long',
  'abuse/patterns',
  'abuse/sweep',
  'abuse/tls',
  'knowledge/hostile-files',
  'session/killed-in-every-state',
  'console/console-page',
  'console/call-pages',
  'console/knowledge-pages',
  'console/assistant-editor',
  'console/numbers-pages',
];

/** Starts the longest files of each project first, also where no earlier run has measured them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at < 0 ? LONGEST.length : at;
    };
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).sort((a, b) => rank(a) - rank(b)),
    );
  }
}
