import './tests.css';
import type { TestRunSummary, TestSuiteSummary } from '../../client/api.generated.ts';
import { AssistantField } from '../assistants/assistant-field.tsx';
import { ASSISTANTS, useNamed } from '../named.ts';
import { useQuery } from '../router.ts';
import { may, useClient } from '../session.ts';
import { Badge } from '../ui/badge.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { useLoad } from '../use-load.ts';
import { usePages } from '../use-pages.ts';
import { scoreText, stateOf } from './test-names.ts';

/** Where the latest run of each suite is looked for. */
const RUNS = 200;

/** The suites of tests, of all assistants or of one. */
export function TestsPage() {
  const client = useClient();
  const [query, change] = useQuery();
  const wanted = query.get('assistantId') ?? '';
  const suites = usePages<TestSuiteSummary>(
    (page, signal) =>
      client.open('listTestSuites', {
        query: { ...page, ...(wanted === '' ? {} : { assistantId: wanted }) },
        ...(signal ? { signal } : {}),
      }),
    [wanted],
  );
  const assistants = useNamed(
    ASSISTANTS,
    suites.rows?.map(({ assistantId }) => assistantId),
  );
  const runs = useLoad(
    (signal) => client.call('listTestRuns', { query: { limit: RUNS }, signal }),
    [client],
  );
  const make = may('builder') && (
    <LinkButton
      href={wanted === '' ? '/tests/new' : `/tests/new?assistantId=${wanted}`}
      kind="primary"
      icon="plus"
    >
      New tests
    </LinkButton>
  );
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title="Tests"
        lead="Test conversations: what a caller says, and what the assistant must say, do and never say."
        actions={make}
      />
      {suites.error !== undefined && (
        <ErrorState
          title="The tests could not be loaded"
          error={suites.error}
          onRetry={suites.reload}
        />
      )}
      {(wanted !== '' || suites.rows?.length !== 0) && (
        <div class="tests-filter">
          <AssistantField
            id="tests-assistant"
            label="Assistant"
            none="All assistants"
            value={wanted}
            onChange={(assistantId) => change({ assistantId })}
          />
        </div>
      )}
      {(suites.rows || suites.error === undefined) && (
        <DataTable
          id="suites"
          label="Suites of tests"
          rows={suites.rows}
          onMore={suites.more}
          loadingMore={suites.isLoadingMore}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/tests/${id}`}
          columns={[
            { title: 'Name', cell: ({ title }) => title },
            {
              title: 'Assistant',
              cell: ({ assistantId }) => assistants.of(assistantId)?.label ?? '–',
            },
            { title: 'Tests', cell: ({ tests }) => tests, end: true },
            {
              title: 'Last run',
              cell: ({ id }) => <LastRun run={runs.data?.find(({ suiteId }) => suiteId === id)} />,
            },
            {
              title: 'Nightly',
              cell: ({ nightly, spoken }) => (nightly ? (spoken ? 'spoken' : 'yes') : 'no'),
            },
            { title: 'Changed', cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
          ]}
          empty={
            <EmptyState
              icon="flask"
              title={wanted === '' ? 'No tests yet' : 'This assistant has no tests yet'}
              action={make}
            >
              Write down what a caller says and what you expect of the answer, or make a test of a
              call that took place, on its page. Tests run as text, faster than speech.
            </EmptyState>
          }
        />
      )}
    </section>
  );
}

function LastRun({ run }: { readonly run: TestRunSummary | undefined }) {
  if (!run) return <span class="soft">none</span>;
  const { label, tone } = stateOf(run);
  return (
    <span class="tests-last">
      <Badge tone={tone}>{label}</Badge>
      <span class="soft">
        {scoreText(run)}, {run.spoken && 'spoken, '}
        <RelativeTime at={run.createdAt} />
      </span>
    </span>
  );
}
