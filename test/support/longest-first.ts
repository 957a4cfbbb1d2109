import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long, the longest first: begun last, each would keep one worker while the others have no more to do. */
const LONGEST = [
  'service/kill-events',
  'failover/web-calls',
  'service/nodes',
  'cli/call-command',
  'telephone/warm-transfers',
  'service/processes',
  'service/drain',
  'service/training',
  'telephone/asterisk',
  'service/kill',
  'service/full-disk',
  'cli/run-call',
  'service/model-faults',
  'telephone/transfers',
  'store/embedded/embedded-server',
  'service/start-failures',
  'abuse/sweep',
  'abuse/tls',
  'knowledge/hostile-files',
  'console/console-page',
  'console/call-pages',
  'console/knowledge-pages',
  'console/assistant-editor',
  'console/numbers-pages',
  'console/talk-page',
  'providers/offline-stt/adapter',
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
