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
import { SearchField } from '../ui/search-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useAction } from '../use-action.ts';
import { usePages } from '../use-pages.ts';

const TYPING_MS = 300;

/** Waiting entries, the next one first. */
export function WaitingEntries({ listId: id }: { readonly listId: string }) {
  const client = useClient();
  const [search, setSearch] = useState('');
  const { rows, error, reload, more, isLoadingMore } = usePages<WaitListEntry>(
    (page, signal) =>
      client.open('listWaitListEntries', {
        path: { id },
        query: { ...page, ...(search === '' ? {} : { search }) },
        ...(signal ? { signal } : {}),
      }),
    [id, search],
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
            <Button
              busy={take.busy}
              disabled={search === '' && !rows?.length}
              onClick={() => void take.run()}
            >
              Take the next
            </Button>
            <Button onClick={() => setAdding(true)}>Add …</Button>
          </>
        )}
      </div>
      {(search !== '' || rows?.length !== 0) && (
        <SearchField
          id="waiting-search"
          label="Search waiting entries"
          placeholder="Name, number or notes"
          value={search}
          onChange={setSearch}
          pauseMs={TYPING_MS}
        />
      )}
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
          empty={
            <p class="help">
              {search === '' ? 'The list is empty.' : `No entry matches “${search}”.`}
            </p>
          }
          columns={[
            { title: 'Name', cell: ({ position, name }) => `${position}. ${name}` },
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
