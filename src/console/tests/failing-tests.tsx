import { Link } from 'wouter-preact';
import { useClient } from '../session.ts';
import { Callout } from '../ui/callout.tsx';
import { useLoad } from '../use-load.ts';
import { failingIn } from './test-names.ts';

const RUNS = 100;

/** The tests that passed one night and failed the next, until a later run of theirs is well. */
export function FailingTests() {
  const client = useClient();
  const runs = useLoad(
    (signal) => client.call('listTestRuns', { query: { limit: RUNS }, signal }),
    [client],
  );
  const failing = failingIn(runs.data ?? []);
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
