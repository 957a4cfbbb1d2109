import './calls.css';
import './call.css';
import './call-panels.css';
import { useEffect, useState } from 'preact/hooks';
import type { Call } from '../../client/api.generated.ts';
import { ApiError } from '../../client/api-error.ts';
import { lazyPart, type PageProps } from '../lazy-page.tsx';
import { ASSISTANTS, useNamed } from '../named.ts';
import { may, useClient } from '../session.ts';
import { Callout } from '../ui/callout.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { usePolling } from '../use-polling.ts';
import { CallLead } from './call-header.tsx';
import { callerName, isLive } from './call-names.ts';
import { ExportMenu } from './export-menu.tsx';
import { KeepMenu } from './keep-menu.tsx';
import { NeighbourLinks } from './neighbour-links.tsx';
import { ReviewBar } from './review-bar.tsx';

const LiveCall = lazyPart(async () => (await import('./live-call.tsx')).LiveCall);
const PastCall = lazyPart(async () => (await import('./past-call.tsx')).PastCall);

const EVERY_MS = 2000;
/** How long after the end of a call its analysis and recording may still arrive. */
const SETTLES_MS = 120_000;
const BACK = { href: '/calls', name: 'Calls' };

/** Page of one call: transcript, sound, timeline and results. */
export function CallPage({ params: { id } }: PageProps<'id'>) {
  const client = useClient();
  const [settled, setSettled] = useState(false);
  const {
    data: call,
    error,
    reload,
  } = usePolling(
    (signal) => client.call('getCall', { path: { id }, signal }),
    [client, id],
    settled ? undefined : EVERY_MS,
  );
  useEffect(() => setSettled(call !== undefined && isSettled(call)), [call]);
  const assistant = useNamed(ASSISTANTS, [call?.assistantId]);
  if (!call) return <Absent id={id} error={error} onRetry={reload} />;
  const assistantName = assistant.of(call.assistantId)?.label;
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        back={BACK}
        title={callerName(call)}
        lead={<CallLead call={call} assistantName={assistantName} />}
        actions={
          <>
            {may('builder') && !isLive(call) && (
              <LinkButton href={`/tests/new?call=${call.id}`}>Make this call a test</LinkButton>
            )}
            <ExportMenu call={call} />
            {may('admin') && !isLive(call) && <KeepMenu call={call} onChanged={reload} />}
          </>
        }
      />
      {call.hold && <Callout>On hold and exempt from deletion: {call.hold.reason}</Callout>}
      {call.failure && <Callout tone="bad">{call.failure.message}</Callout>}
      {call.analysis?.summary !== undefined && (
        <p class="call-summary">
          <span class="soft">Summary:</span> {call.analysis.summary}
        </p>
      )}
      <div class="call-work">
        {!isLive(call) && <ReviewBar call={call} onChanged={reload} />}
        <NeighbourLinks id={call.id} />
      </div>
      {isLive(call) ? (
        <LiveCall key={call.id} call={call} assistantName={assistantName} onEnded={reload} />
      ) : (
        <PastCall key={call.id} call={call} assistantName={assistantName} onChanged={reload} />
      )}
    </section>
  );
}

function isSettled({ endAt }: Call): boolean {
  return endAt !== undefined && Date.now() - Date.parse(endAt) > SETTLES_MS;
}

interface AbsentProps {
  readonly id: string;
  readonly error: unknown;
  readonly onRetry: () => void;
}

function Absent({ id, error, onRetry }: AbsentProps) {
  const missing = error instanceof ApiError && error.status === 404;
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader back={BACK} title="Call" lead={<code>{id}</code>} />
      {missing && (
        <EmptyState
          icon="calls"
          title="Call not found"
          action={<LinkButton href="/calls">All calls</LinkButton>}
        >
          The link may be incomplete, or the call belongs to another team.
        </EmptyState>
      )}
      {error !== undefined && !missing && (
        <ErrorState title="The call could not be loaded" error={error} onRetry={onRetry} />
      )}
      {error === undefined && (
        <div class="late">
          <Skeleton lines={6} />
        </div>
      )}
    </section>
  );
}
