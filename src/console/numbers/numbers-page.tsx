import './numbers.css';
import { useState } from 'preact/hooks';
import type { Number as PhoneNumber } from '../../client/api.generated.ts';
import { navigate, useQuery } from '../router.ts';
import { useClient } from '../session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { useAction } from '../use-action.ts';
import { useCounted, usePages } from '../use-pages.ts';
import { BuyNumberDialog } from './buy-number-dialog.tsx';
import { CARRIERS } from './carriers.ts';
import { ImportNumberDialog } from './import-number-dialog.tsx';
import { importTestNumber } from './import-test-number.ts';

/** From this number on, a search field is shown. */
const MANY = 8;
const TYPING_MS = 300;

/** List of phone numbers. */
export function NumbersPage() {
  const client = useClient();
  const [query, change] = useQuery();
  const [open, setOpen] = useState<'import' | 'buy'>();
  const wanted = query.get('search') ?? '';
  const numbers = usePages<PhoneNumber>(
    (page, signal) =>
      client.open('listNumbers', {
        query: { ...page, ...(wanted === '' ? {} : { search: wanted }) },
        ...(signal ? { signal } : {}),
      }),
    [wanted],
  );
  const assistantIds = numbers.rows?.map(({ assistantId }) => assistantId).filter(Boolean);
  const assistants = useCounted(
    assistantIds && [...new Set(assistantIds)],
    (ids, signal) => client.call('listAssistants', { query: { ids, fields: 'name' }, signal }),
    ({ _id }) => _id,
  );
  const tryOut = useAction(async () => {
    const { _id } = await importTestNumber(client, 'Test');
    navigate(`/numbers/${_id}`);
  });
  const others = (
    <>
      <Button icon="download" onClick={() => setOpen('import')}>
        Import a number
      </Button>
      <Button icon="search" onClick={() => setOpen('buy')}>
        Buy a number
      </Button>
    </>
  );
  const makeTest = (
    <Button icon="plus" kind="primary" busy={tryOut.busy} onClick={() => tryOut.run()}>
      Create a test number
    </Button>
  );
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title="Numbers"
        lead="Phone numbers that your assistants answer and call from."
        actions={
          wanted !== '' || numbers.rows?.length ? (
            <>
              {others}
              {makeTest}
            </>
          ) : undefined
        }
      />
      {tryOut.error !== undefined && (
        <ErrorState title="The number could not be created" error={tryOut.error} />
      )}
      {(wanted !== '' || (numbers.rows && numbers.rows.length >= MANY)) && (
        <div>
          <SearchField
            id="numbers-search"
            label="Search numbers"
            placeholder="Number, label, carrier or assistant"
            value={wanted}
            onChange={(search) => change({ search })}
            pauseMs={TYPING_MS}
          />
        </div>
      )}
      {numbers.error !== undefined && numbers.rows === undefined ? (
        <ErrorState
          title="The numbers could not be loaded"
          error={numbers.error}
          onRetry={numbers.reload}
        />
      ) : (
        <DataTable
          id="numbers"
          label="Numbers"
          columns={columnsOf((id) => assistants?.get(id)?.name)}
          rows={numbers.rows}
          rowKey={({ _id }) => _id}
          rowHref={({ _id }) => `/numbers/${_id}`}
          onMore={numbers.more}
          loadingMore={numbers.isLoadingMore}
          empty={
            wanted !== '' ? (
              <EmptyState icon="search" title={`Nothing matches “${wanted}”`}>
                The search covers numbers, labels, carriers and the names of assistants.
              </EmptyState>
            ) : (
              <EmptyState
                icon="numbers"
                title="Connect a phone number"
                action={
                  <>
                    {makeTest}
                    {others}
                  </>
                }
              >
                Begin with a test number: it is free, needs no account, and you can call it from
                this browser. Or bring a number from Twilio, Telnyx or your own Asterisk.
              </EmptyState>
            )
          }
        />
      )}
      {open === 'import' && <ImportNumberDialog onClose={() => setOpen(undefined)} />}
      {open === 'buy' && (
        <BuyNumberDialog onBought={numbers.reload} onClose={() => setOpen(undefined)} />
      )}
    </section>
  );
}

type NameOf = (assistantId: string) => string | undefined;

function columnsOf(nameOf: NameOf): readonly [Column<PhoneNumber>, ...Column<PhoneNumber>[]] {
  return [
    { title: 'Number', cell: ({ number }) => <span class="numeric">{number}</span> },
    { title: 'Label', cell: ({ label }) => label || '–' },
    { title: 'Carrier', cell: ({ provider }) => CARRIERS[provider.name].title },
    {
      title: 'Assistant',
      cell: ({ assistantId }) =>
        assistantId === '' ? <Badge tone="warn">None</Badge> : (nameOf(assistantId) ?? '…'),
    },
    { title: 'Calls', cell: directionsText },
  ];
}

function directionsText({ inboundEnabled, outboundEnabled }: PhoneNumber): string {
  if (inboundEnabled && outboundEnabled) return 'Inbound and outbound';
  if (inboundEnabled) return 'Inbound only';
  return outboundEnabled ? 'Outbound only' : 'Off';
}
