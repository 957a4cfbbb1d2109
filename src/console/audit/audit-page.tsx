import './audit.css';
import type { AuditEntry } from '../../client/api.generated.ts';
import { useQuery } from '../router.ts';
import { saveFile } from '../save-file.ts';
import { useClient } from '../session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { faultText } from '../ui/fault-text.ts';
import { Menu } from '../ui/menu.tsx';
import { Moment } from '../ui/moment.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../use-action.ts';
import { AuditFilterBar } from './audit-filter-bar.tsx';
import { isFiltered, NO_FILTERS, readFilters } from './audit-filters.ts';
import { ChainCheck } from './chain-check.tsx';
import { useAudit } from './use-audit.ts';

const LONGEST_MS = 5 * 60_000;

/** Who changed, read or heard what, and when. */
export function AuditPage() {
  const [address, change] = useQuery();
  const filters = readFilters(address);
  const audit = useAudit(filters);
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title="Audit log"
        lead="Every change, read and playback, with person and time. Entries cannot be changed."
        actions={<ExportLog />}
      />
      <ChainCheck />
      <AuditFilterBar filters={filters} onChange={change} />
      {audit.error !== undefined && (
        <ErrorState
          title="The log could not be loaded"
          error={audit.error}
          onRetry={audit.reload}
        />
      )}
      {(audit.rows || audit.error === undefined) && (
        <DataTable<AuditEntry>
          id="audit"
          label="Entries"
          columns={[
            { title: 'When', cell: ({ at }) => <Moment at={at} /> },
            { title: 'Person', cell: ({ actor }) => nameOf(actor) },
            {
              title: 'What',
              cell: ({ action, outcome }) => (
                <span class="row">
                  {wordsOf(action)} {outcome === 'refused' && <Badge tone="bad">refused</Badge>}
                </span>
              ),
            },
            {
              title: 'About',
              cell: ({ subject }) => subject && <code class="audit-subject">{subject}</code>,
            },
            { title: 'Address', cell: ({ address: from }) => from },
          ]}
          rows={audit.rows}
          rowKey={({ seq }) => String(seq)}
          onMore={audit.more}
          loadingMore={audit.isLoadingMore}
          empty={
            isFiltered(filters) ? (
              <EmptyState
                icon="search"
                title="No entries match"
                action={<Button onClick={() => change(NO_FILTERS)}>Show all entries</Button>}
              >
                The search matches whole actions and ids.
              </EmptyState>
            ) : (
              <p class="soft">Nothing has been logged yet.</p>
            )
          }
        />
      )}
    </section>
  );
}

function ExportLog() {
  const client = useClient();
  const save = useAction(async (format: 'csv' | 'jsonl') => {
    try {
      const response = await client.open('exportAudit', {
        query: { format },
        timeoutMs: LONGEST_MS,
      });
      saveFile(await response.blob(), `audit.${format}`);
    } catch (error) {
      showToast(`The export failed. ${faultText(error)}`, 'bad');
      throw error;
    }
  });
  const item = (value: 'csv' | 'jsonl', label: string) =>
    ({ value, label, icon: 'download', onSelect: () => void save.run(value) }) as const;
  return (
    <Menu
      label="Export the whole log"
      text="Export"
      items={[item('csv', 'Table, as CSV'), item('jsonl', 'Entries with hashes, as JSON Lines')]}
    />
  );
}

const UNNAMED: Readonly<Record<AuditEntry['actor']['type'], string>> = {
  person: 'A person',
  'api-key': 'An API key',
  operator: 'The operator',
  token: 'A token',
  nobody: 'Not signed in',
  service: 'The service',
};

function nameOf({ type, name }: AuditEntry['actor']): string {
  if (name === undefined) return UNNAMED[type];
  return type === 'api-key' ? `${name} (API key)` : name;
}

/** `deleteCall` as "Delete call". */
function wordsOf(action: string): string {
  const words = action.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
