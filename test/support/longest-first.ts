import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long, the longest first: begun last, each would keep one worker while the others have no more to do. */
const LONGEST = [
  'service/kill-events',
  'service/processes',
  'service/nodes',
  'service/training',
  'service/drain',
  'service/kill',
  'telephone/asterisk',
  'jobs/jobs',
  'store/embedded/kill',
  'failures/vendor-not-ready',
  'service/full-disk',
  'abuse/sweep',
  'console/console-page',
  'console/call-pages',
  'knowledge/hostile-files',
  'console/knowledge-pages',
  'console/assistant-editor',
  'abuse/patterns',
  'console/numbers-pages',
  'abuse/tls',
  'cli/call-command',
  'telephone/warm-transfers',
  'telephone/transfers',
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
