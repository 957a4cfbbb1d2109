import { Link } from 'wouter-preact';
import type { TestRunSummary } from '../../client/api.generated.ts';
import { useClient } from '../session.ts';
import { Callout } from '../ui/callout.tsx';
import { useLoad } from '../use-load.ts';

const RUNS = 100;

/** The tests that passed one night and failed the next, until a later run of theirs is well. */
export function FailingTests() {
  const client = useClient();
  const runs = useLoad(
    (signal) => client.call('listTestRuns', { query: { limit: RUNS }, signal }),
    [client],
  );
  const failing = latestOfEach(runs.data ?? []).filter(
    ({ by, regressed }) => by === 'nightly' && regressed.length > 0,
  );
  if (failing.length === 0) return null;
  return (
    <Callout tone="bad">
      <p>Tests that failed last night and passed the night before:</p>
      <ul>
        {failing.map(({ id, suiteId, regressed }) => (
          <li key={id}>
            <Link href={`/tests/${suiteId}?run=${id}`}>{regressed.join(', ')}</Link>
          </li>
        ))}
      </ul>
    </Callout>
  );
}

/** The latest finished run of each suite; they come newest first. */
function latestOfEach(runs: readonly TestRunSummary[]): readonly TestRunSummary[] {
  const finished = runs.filter(
    ({ status, suiteId }) => status === 'finished' && suiteId !== undefined,
  );
  return finished.filter(
    ({ suiteId }, index) => finished.findIndex((run) => run.suiteId === suiteId) === index,
  );
}
