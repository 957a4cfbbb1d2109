import { useClient } from '../session.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useLoad } from '../use-load.ts';
import { HoldsPanel } from './holds-panel.tsx';
import { RetentionForm } from './retention-form.tsx';

/** For how long calls are kept, and the numbers whose calls must not be deleted. */
export function PrivacyPage() {
  const client = useClient();
  const retention = useLoad((signal) => client.call('getRetention', { signal }), [client]);
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title="Data retention"
        lead="How long calls are kept, and numbers on legal hold."
      />
      {retention.error !== undefined && (
        <ErrorState
          title="The rules could not be loaded"
          error={retention.error}
          onRetry={retention.reload}
        />
      )}
      {retention.data && <RetentionForm retention={retention.data} onSaved={retention.set} />}
      {!retention.data && retention.error === undefined && (
        <div class="late">
          <Skeleton lines={4} />
        </div>
      )}
      <HoldsPanel />
    </section>
  );
}
