import type { NumberSetup as Setup } from '../../client/api.generated.ts';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Loaded } from '../use-load.ts';
import { NumberChecks } from './number-checks.tsx';

/** Whether calls to the number arrive, as a list to work through. */
export function NumberSetup({ setup }: { readonly setup: Loaded<Setup | undefined> }) {
  const { data, error, loading, reload } = setup;
  return (
    <section class="section" aria-labelledby="number-setup-title">
      <div class="section-head">
        <h2 id="number-setup-title">Do calls arrive?</h2>
        <Button id="check-setup" small icon="refresh" busy={loading} onClick={reload}>
          Check again
        </Button>
      </div>
      <div class="card stack">
        <div id="setup-verdict" role="status">
          {data && <Verdict setup={data} />}
        </div>
        {error !== undefined && (
          <ErrorState title="The number could not be checked" error={error} onRetry={reload} />
        )}
        {data && <NumberChecks checks={data.checks} />}
        {!data && error === undefined && (
          <div class="late">
            <Skeleton lines={8} />
          </div>
        )}
      </div>
    </section>
  );
}

function Verdict({ setup: { checks } }: { readonly setup: Setup }) {
  const open = checks.filter(({ state }) => state !== 'ok');
  const failed = open.filter(({ state }) => state === 'failed').length;
  if (open.length === 0) return <Callout tone="good">Calls arrive.</Callout>;
  if (failed === 0)
    return (
      <Callout tone="warn">
        No problem found. {open.length === 1 ? '1 step' : `${open.length} steps`} left.
      </Callout>
    );
  return (
    <Callout tone="bad">
      Calls do not arrive: fix {failed === 1 ? '1 problem' : `${failed} problems`}.
    </Callout>
  );
}
