import { useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useLoad } from '../use-load.ts';

/** The service reads the whole log. */
const LONGEST_MS = 5 * 60_000;

/** Whether the log is as it was written. */
export function ChainCheck() {
  const client = useClient();
  const check = useLoad(
    (signal) => client.call('checkAudit', { signal, timeoutMs: LONGEST_MS }),
    [client],
  );
  if (check.error !== undefined)
    return (
      <ErrorState title="The log could not be checked" error={check.error} onRetry={check.reload} />
    );
  if (!check.data)
    return (
      <div class="late">
        <Skeleton lines={2} />
      </div>
    );
  const { entries, fault } = check.data;
  const count = entries === 1 ? '1 entry' : `${entries} entries`;
  return (
    <div id="chain-check" aria-live="polite">
      <Callout tone={fault === undefined ? 'good' : 'bad'}>
        <p>
          {fault === undefined ? (
            <>
              <strong>The log is intact.</strong> Each of its {count} is unchanged.
            </>
          ) : (
            <>
              <strong>The log was tampered with:</strong> {fault}. Up to there {count} can be
              trusted.
            </>
          )}
        </p>
        <Button id="check-again" small busy={check.loading} onClick={check.reload}>
          Check again
        </Button>
      </Callout>
    </div>
  );
}
