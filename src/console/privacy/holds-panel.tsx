import { useState } from 'preact/hooks';
import type { NumberHold } from '../../client/api.generated.ts';
import { may, useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Moment } from '../ui/moment.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useLoad } from '../use-load.ts';
import { HoldDialog } from './hold-dialog.tsx';

/** Numbers on hold: adds and releases them. */
export function HoldsPanel() {
  const client = useClient();
  const holds = useLoad((signal) => client.call('listNumberHolds', { signal }), [client]);
  const [isAdding, setIsAdding] = useState(false);
  const [leaving, setLeaving] = useState<NumberHold>();
  return (
    <section aria-labelledby="holds-title" class="stack">
      <h2 id="holds-title">Numbers on hold</h2>
      <p class="soft">
        Calls and texts with these numbers are exempt from retention rules and deletion.
      </p>
      {may('admin') && (
        <div class="row">
          <Button id="new-hold" icon="plus" onClick={() => setIsAdding(true)}>
            Put a number on hold
          </Button>
        </div>
      )}
      {holds.error !== undefined && (
        <ErrorState
          title="The holds could not be loaded"
          error={holds.error}
          onRetry={holds.reload}
        />
      )}
      {(holds.data || holds.error === undefined) && (
        <DataTable
          id="holds"
          label="Numbers on hold"
          empty={<p class="soft">No number is on hold.</p>}
          columns={[
            { title: 'Number', cell: ({ number }) => number },
            { title: 'Reason', cell: ({ reason }) => reason },
            { title: 'Since', cell: ({ since }) => <Moment at={since} /> },
            {
              title: '',
              end: true,
              cell: (hold) => (
                <Button
                  kind="quiet"
                  small
                  aria-label={`Release ${hold.number}`}
                  onClick={() => setLeaving(hold)}
                >
                  Release
                </Button>
              ),
            },
          ]}
          rows={holds.data}
          rowKey={({ number }) => number}
        />
      )}
      {isAdding && (
        <HoldDialog
          what="number"
          onHold={async ({ number, reason }) => {
            await client.call('holdNumber', { path: { number }, body: { reason } });
            holds.reload();
          }}
          onClose={() => setIsAdding(false)}
        />
      )}
      {leaving && (
        <ConfirmDialog
          title={`Release ${leaving.number}?`}
          action="Release"
          onConfirm={async () => {
            await client.call('releaseNumber', { path: { number: leaving.number } });
            showToast(`${leaving.number} is no longer on hold.`);
            holds.reload();
          }}
          onClose={() => setLeaving(undefined)}
        >
          <p>Retention rules and deletion requests may delete its calls and texts again.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
