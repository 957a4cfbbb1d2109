import { useState } from 'preact/hooks';
import type { Calendar, WaitList } from '../../client/api.generated.ts';
import type { FieldFaults } from '../field-faults.ts';
import { navigate, useQuery } from '../router.ts';
import { may, useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { usePages } from '../use-pages.ts';
import { CALENDARS, type Kind, WAIT_LISTS } from './kinds.ts';

const TYPING_MS = 300;

/** All calendars of the team. */
export function CalendarsPage() {
  return (
    <BookableList
      kind={CALENDARS}
      columns={[
        { title: 'Time zone', cell: ({ timezone }) => timezone },
        { title: 'Appointment', end: true, cell: ({ slotMinutes }) => `${slotMinutes} min` },
      ]}
    />
  );
}

/** All wait lists of the team. */
export function WaitListsPage() {
  return (
    <BookableList
      kind={WAIT_LISTS}
      columns={[{ title: 'Waiting', end: true, cell: ({ waiting }) => waiting }]}
    />
  );
}

interface BookableListProps<R extends Calendar | WaitList> {
  readonly kind: Kind<R>;
  readonly columns: readonly Column<R>[];
}

function BookableList<R extends Calendar | WaitList>({ kind, columns }: BookableListProps<R>) {
  const client = useClient();
  const [query, change] = useQuery();
  const wanted = query.get('search') ?? '';
  const { rows, error, reload, more, isLoadingMore } = usePages<R>(
    (page, signal) =>
      kind.open(client, { ...page, ...(wanted === '' ? {} : { search: wanted }) }, signal),
    [kind.at, wanted],
  );
  const [creating, setCreating] = useState(false);
  const create = may('builder') && (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      Create {kind.noun}
    </Button>
  );
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title={kind.title}
        lead={kind.lead}
        actions={wanted !== '' || rows?.length ? create : undefined}
      />
      {(wanted !== '' || rows?.length !== 0) && (
        <SearchField
          id="bookable-search"
          label={`Search ${kind.noun}s`}
          placeholder="Name"
          value={wanted}
          onChange={(search) => change({ search })}
          pauseMs={TYPING_MS}
        />
      )}
      {error === undefined ? (
        <DataTable<R>
          label={kind.title}
          rows={rows}
          onMore={more}
          loadingMore={isLoadingMore}
          rowKey={({ _id }) => _id}
          rowHref={({ _id }) => `${kind.at}/${_id}`}
          columns={[
            { title: 'Name', cell: ({ name }) => name },
            ...columns,
            {
              title: 'Assistants',
              end: true,
              cell: ({ assistantIds }) => (assistantIds.length === 0 ? 'All' : assistantIds.length),
            },
          ]}
          empty={
            wanted !== '' ? (
              <EmptyState icon="search" title={`Nothing matches “${wanted}”`}>
                The search covers names. All words must match.
              </EmptyState>
            ) : (
              <EmptyState
                icon={kind.at === '/calendars' ? 'calendar' : 'list'}
                title={`No ${kind.noun} yet`}
                action={create}
              >
                {kind.purpose}
              </EmptyState>
            )
          }
        />
      ) : (
        <ErrorState
          title={`The ${kind.noun}s could not be loaded`}
          error={error}
          onRetry={reload}
        />
      )}
      {creating && <CreateDialog kind={kind} onClose={() => setCreating(false)} />}
    </section>
  );
}

interface CreateDialogProps<R extends Calendar | WaitList> {
  readonly kind: Kind<R>;
  readonly onClose: () => void;
}

function CreateDialog<R extends Calendar | WaitList>({ kind, onClose }: CreateDialogProps<R>) {
  const client = useClient();
  const [name, setName] = useState('');
  return (
    <FormDialog
      title={`Create ${kind.noun}`}
      action="Create"
      shape="narrow"
      check={(): FieldFaults => (name.trim() === '' ? { name: 'Enter a name.' } : {})}
      onSubmit={async () => {
        const { _id } = await kind.create(client, name);
        navigate(`${kind.at}/${_id}`);
      }}
      onClose={onClose}
    >
      {(faults) => (
        <TextField
          id="bookable-name"
          label="Name"
          error={faults.name}
          value={name}
          onChange={setName}
          maxLength={200}
          autoFocus
        />
      )}
    </FormDialog>
  );
}
