import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { WaitListEntry } from '../../client/api.generated.ts';
import type { FieldFaults } from '../field-faults.ts';
import { may, useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { faultText } from '../ui/fault-text.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useAction } from '../use-action.ts';
import { usePages } from '../use-pages.ts';

/** Who waits, the next one first. */
export function WaitingEntries({ listId: id }: { readonly listId: string }) {
  const client = useClient();
  const { rows, error, reload, more, isLoadingMore } = usePages<WaitListEntry>(
    (query, signal) =>
      client.open('listWaitListEntries', { path: { id }, query, ...(signal ? { signal } : {}) }),
    [id],
  );
  const [adding, setAdding] = useState(false);
  const [taken, setTaken] = useState<WaitListEntry>();
  const take = useAction(async () => {
    setTaken(await client.call('takeNextWaitListEntry', { path: { id } }));
    reload();
  });
  const remove = useAction(
    async (entryId: string) => {
      await client.call('removeWaitListEntry', { path: { id, entryId } });
      reload();
    },
    { done: 'The entry is removed.' },
  );
  const fault = take.error ?? remove.error;
  return (
    <section class="section stack" aria-labelledby="waiting-title">
      <div class="row">
        <h2 id="waiting-title">Waiting</h2>
        {may('builder') && (
          <>
            <Button busy={take.busy} disabled={!rows?.length} onClick={() => void take.run()}>
              Take the next
            </Button>
            <Button onClick={() => setAdding(true)}>Add …</Button>
          </>
        )}
      </div>
      <div role="status">
        {taken && (
          <Callout>
            Next was <strong>{taken.name}</strong>
            {taken.phone !== '' && `, ${taken.phone}`}
            {taken.notes !== '' && `: ${taken.notes}`}
          </Callout>
        )}
      </div>
      <div role="alert">
        {fault !== undefined && <Callout tone="bad">{faultText(fault)}</Callout>}
      </div>
      {error === undefined ? (
        <DataTable<WaitListEntry>
          label="Waiting"
          rows={rows}
          onMore={more}
          loadingMore={isLoadingMore}
          rowKey={({ _id }) => _id}
          empty={<p class="help">Nobody waits.</p>}
          columns={[
            { title: 'Who', cell: ({ position, name }) => `${position}. ${name}` },
            { title: 'Number', cell: ({ phone }) => phone },
            { title: 'Notes', cell: ({ notes }) => notes },
            { title: 'Since', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
            {
              title: 'Added in',
              cell: ({ callId }) =>
                callId === undefined ? '–' : <Link href={`/calls/${callId}`}>the call</Link>,
            },
            {
              title: '',
              cell: ({ _id, name }) =>
                may('builder') && (
                  <Button
                    kind="quiet"
                    icon="trash"
                    small
                    aria-label={`Remove ${name}`}
                    onClick={() => void remove.run(_id)}
                  />
                ),
            },
          ]}
        />
      ) : (
        <ErrorState title="The entries could not be loaded" error={error} onRetry={reload} />
      )}
      {adding && <AddDialog id={id} onAdded={reload} onClose={() => setAdding(false)} />}
    </section>
  );
}

interface AddDialogProps {
  readonly id: string;
  readonly onAdded: () => void;
  readonly onClose: () => void;
}

function AddDialog({ id, onAdded, onClose }: AddDialogProps) {
  const client = useClient();
  const [name, setName] = useState('');
  const [phone, setPhone] = useState('');
  return (
    <FormDialog
      title="Add to the wait list"
      action="Add"
      shape="narrow"
      check={(): FieldFaults => (name.trim() === '' ? { name: 'Enter a name.' } : {})}
      onSubmit={async () => {
        await client.call('addWaitListEntry', { path: { id }, body: { name, phone } });
        onAdded();
      }}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <TextField
            id="entry-name"
            label="Name"
            error={faults.name}
            value={name}
            onChange={setName}
            maxLength={200}
            autoFocus
          />
          <TextField
            id="entry-phone"
            label="Number"
            type="tel"
            optional
            error={faults.phone}
            value={phone}
            onChange={setPhone}
            maxLength={40}
          />
        </>
      )}
    </FormDialog>
  );
}
