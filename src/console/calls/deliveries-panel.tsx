import { useState } from 'preact/hooks';
import type { Delivery } from '../../client/api.generated.ts';
import { useClient } from '../session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { faultText } from '../ui/fault-text.ts';
import { Moment } from '../ui/moment.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Tone } from '../ui/tone.ts';
import { useAction } from '../use-action.ts';
import { usePolling } from '../use-polling.ts';
import { spanText } from './call-names.ts';

const EVERY_MS = 4000;
const STATES: Readonly<Record<Delivery['status'], readonly [Tone, string]>> = {
  pending: ['warn', 'Pending'],
  delivered: ['good', 'Delivered'],
  dead: ['bad', 'Failed'],
};

/** Webhooks sent for the call, every delivery attempt, and a button to send them again. */
export function DeliveriesPanel({ callId }: { readonly callId: string }) {
  const client = useClient();
  const { data, error, reload } = usePolling(
    (signal) => client.call('listCallDeliveries', { path: { id: callId }, signal }),
    [client, callId],
    EVERY_MS,
  );
  if (error !== undefined && !data) {
    return <ErrorState title="The deliveries could not be loaded" error={error} onRetry={reload} />;
  }
  if (!data) {
    return (
      <div class="late">
        <Skeleton lines={3} />
      </div>
    );
  }
  if (data.deliveries.length === 0) {
    return (
      <p class="help">
        Nothing was sent: the assistant has no server, or subscribes to none of the events that
        happened. It is set up in the assistant’s settings.
      </p>
    );
  }
  return (
    <ol class="deliveries" aria-label="Deliveries">
      {data.deliveries.map((delivery) => (
        <DeliveryItem key={delivery.id} callId={callId} delivery={delivery} onChange={reload} />
      ))}
    </ol>
  );
}

interface DeliveryItemProps {
  readonly callId: string;
  readonly delivery: Delivery;
  readonly onChange: () => void;
}

function DeliveryItem({ callId, delivery, onChange }: DeliveryItemProps) {
  const client = useClient();
  const [open, setOpen] = useState(false);
  const { id, type, status, createdAt, nextAttemptAt, attempts } = delivery;
  const [tone, word] = STATES[status];
  const again = useAction(
    async () => {
      await client.call('redeliverCallDelivery', { path: { id: callId, deliveryId: id } });
      onChange();
    },
    { done: 'Sending again.' },
  );
  return (
    <li class="delivery">
      <div class="delivery-head">
        <div class="delivery-name">
          <h2 class="call-title">{type}</h2>
          <Badge tone={tone}>{word}</Badge>
        </div>
        <Button
          small
          icon="refresh"
          busy={again.busy}
          aria-label={`Send again: ${type}`}
          onClick={() => again.run()}
        >
          Send again
        </Button>
      </div>
      <p class="soft">
        <Moment at={createdAt} />
        {status === 'pending' &&
          nextAttemptAt !== undefined &&
          Date.parse(nextAttemptAt) > Date.now() && (
            <>
              , next attempt <RelativeTime at={nextAttemptAt} />
            </>
          )}
      </p>
      {again.error !== undefined && (
        <p class="field-fault" role="alert">
          {faultText(again.error)}
        </p>
      )}
      {attempts.length === 0 ? (
        <p class="help">Not sent yet: it waits for earlier events.</p>
      ) : (
        <button
          type="button"
          class="delivery-toggle"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {attempts.length === 1 ? 'One try' : `${attempts.length} tries`}, the last:{' '}
          {attemptWord(attempts.at(-1))}
        </button>
      )}
      {open && <Attempts attempts={attempts} />}
    </li>
  );
}

function Attempts({ attempts }: Pick<Delivery, 'attempts'>) {
  return (
    <ol class="attempts" aria-label="Attempts">
      {attempts.map((attempt) => (
        <li key={attempt.at}>
          <span>
            <Moment at={attempt.at} /> <strong>{attemptWord(attempt)}</strong>{' '}
            <span class="soft numeric">after {spanText(attempt.latencyMs)}</span>
          </span>
          {attempt.response !== undefined && attempt.response !== '' && (
            <code class="attempt-response">{attempt.response}</code>
          )}
        </li>
      ))}
    </ol>
  );
}

function attemptWord(attempt: Delivery['attempts'][number] | undefined): string {
  if (!attempt) return '';
  return attempt.status === undefined
    ? (attempt.error ?? 'no answer')
    : `answered ${attempt.status}`;
}
