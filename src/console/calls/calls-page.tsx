import './calls.css';
import { useState } from 'preact/hooks';
import type { CallSummary } from '../../client/api.generated.ts';
import { ASSISTANTS, useNamed } from '../named.ts';
import { useQuery } from '../router.ts';
import { useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Pager } from '../ui/pager.tsx';
import { usePolling } from '../use-polling.ts';
import {
  type CallFilters,
  countFilters,
  filterChange,
  filterSearch,
  PAGE_SIZE,
  queryOf,
  readFilters,
} from './call-filters.ts';
import { callColumns } from './calls-columns.tsx';
import { ColumnDialog, readColumns } from './column-dialog.tsx';
import { ExportList } from './export-list.tsx';
import { FilterBar } from './filter-bar.tsx';
import { FilterChips } from './filter-chips.tsx';

const EVERY_MS = 3000;

/** All calls of the team, newest first; live calls are updated. */
export function CallsPage() {
  const client = useClient();
  const [address, change] = useQuery();
  const filters = readFilters(address);
  const calls = usePolling(
    (signal) => client.call('listCalls', { query: queryOf(filters, Date.now()), signal }),
    [client, address.toString()],
    EVERY_MS,
  );
  const set = (next: Partial<CallFilters>): void => change(filterChange(next));
  const { data } = calls;
  const assistants = useNamed(
    ASSISTANTS,
    data?.conversations.map(({ assistantId }) => assistantId),
  );
  const [chosen, setChosen] = useState(readColumns);
  const [choosing, setChoosing] = useState(false);

  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title="Calls"
        lead="Live and past calls with transcript, recording, events and latencies."
        actions={
          <>
            <Button onClick={() => setChoosing(true)}>Columns</Button>
            <ExportList filters={filters} />
            <LinkButton href="/talk" icon="talk" kind="primary">
              Talk
            </LinkButton>
          </>
        }
      />
      {choosing && (
        <ColumnDialog chosen={chosen} onChange={setChosen} onClose={() => setChoosing(false)} />
      )}
      <FilterChips filters={filters} onChange={set} />
      <FilterBar filters={filters} onChange={set} />
      {calls.error !== undefined && (
        <ErrorState
          title="The calls could not be loaded"
          error={calls.error}
          onRetry={calls.reload}
        />
      )}
      {(data !== undefined || calls.error === undefined) && (
        <div>
          <DataTable<CallSummary>
            id="calls"
            label="Calls"
            columns={callColumns({
              chosen,
              assistantName: (id) => assistants.of(id)?.label,
              order: filters.sort,
              onOrder: (sort) => set({ sort }),
            })}
            rows={data?.conversations}
            rowKey={({ id }) => id}
            rowHref={({ id }) => `/calls/${id}${filterSearch(address)}`}
            empty={<NoCalls filters={filters} onClear={() => change(NO_FILTERS)} />}
          />
          {data && (
            <Pager
              label="Pages of calls"
              page={filters.page}
              size={PAGE_SIZE}
              total={data.totalCount}
              onChange={(page) => set({ page })}
            />
          )}
        </div>
      )}
    </section>
  );
}

const NO_FILTERS = {
  search: undefined,
  state: undefined,
  assistant: undefined,
  channel: undefined,
  period: undefined,
  from: undefined,
  to: undefined,
  end: undefined,
  flags: undefined,
  reviewed: undefined,
  tag: undefined,
  page: undefined,
};

function NoCalls(props: { readonly filters: CallFilters; readonly onClear: () => void }) {
  const { filters, onClear } = props;
  if (filters.page > 1 || filters.search !== '' || countFilters(filters) > 0) {
    return (
      <EmptyState
        icon="search"
        title="No calls match"
        action={<Button onClick={onClear}>Show all calls</Button>}
      >
        No calls match the search and the filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="calls"
      title="No calls yet"
      action={
        <LinkButton href="/talk" icon="talk">
          Talk to an assistant
        </LinkButton>
      }
    >
      A call appears here as soon as it begins, from this console, a web page or the telephone.
    </EmptyState>
  );
}
