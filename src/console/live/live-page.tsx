import '../calls/calls.css';
import './live.css';
import type { CallSummary } from '../../client/api.generated.ts';
import { ASSISTANTS, useNamed } from '../named.ts';
import { useClient } from '../session.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { usePolling } from '../use-polling.ts';
import { LiveCard } from './live-card.tsx';
import { byUrgency } from './urgency.ts';

const EVERY_MS = 2000;
const MOST = 100;

/** Every live call of the team: its state, its time and what has gone wrong, the most urgent first. */
export function LivePage() {
  const client = useClient();
  const { data, error, reload } = usePolling(
    (signal) =>
      client.call('listCalls', {
        query: { live: 'true', size: MOST, sort: 'startAt', order: 'asc' },
        signal,
      }),
    [client],
    EVERY_MS,
  );
  const assistants = useNamed(
    ASSISTANTS,
    data?.conversations.map(({ assistantId }) => assistantId),
  );
  const calls = data && byUrgency(data.conversations, Date.now());
  const hidden = data ? data.totalCount - data.conversations.length : 0;
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title="Live"
        lead="Calls in progress. Listen in, whisper to the assistant, speak to the caller yourself, transfer or end."
      />
      {error !== undefined && (
        <ErrorState title="The live calls could not be loaded" error={error} onRetry={reload} />
      )}
      {!calls && error === undefined && (
        <div class="late">
          <Skeleton lines={6} />
        </div>
      )}
      {calls?.length === 0 && (
        <EmptyState
          icon="ear"
          title="No live calls"
          action={<LinkButton href="/calls">Past calls</LinkButton>}
        >
          A call appears here as soon as it begins.
        </EmptyState>
      )}
      {calls && calls.length > 0 && (
        <ul class="live-wall" aria-label="Live calls">
          {calls.map((call: CallSummary) => (
            <LiveCard
              key={call.id}
              call={call}
              assistantName={assistants.of(call.assistantId)?.label}
            />
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <p class="help">
          {hidden} more calls are live. The list of calls shows them, filtered by “Live now”.
        </p>
      )}
    </section>
  );
}
