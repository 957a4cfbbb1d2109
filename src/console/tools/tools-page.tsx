import './tools.css';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Tool, UsingAssistants } from '../../client/api.generated.ts';
import { navigate, useQuery } from '../router.ts';
import { useClient } from '../session.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { Menu } from '../ui/menu.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useCounted, usePages } from '../use-pages.ts';
import { DeleteTool } from './delete-tool.tsx';

const TYPING_MS = 300;

/** List of tools: functions on the user's servers that assistants may call. */
export function ToolsPage() {
  const client = useClient();
  const [query, change] = useQuery();
  const [leaving, setLeaving] = useState<Tool>();
  const wanted = query.get('search') ?? '';
  const tools = usePages<Tool>(
    (page, signal) =>
      client.open('listTools', {
        query: { ...page, ...(wanted === '' ? {} : { search: wanted }) },
        ...(signal ? { signal } : {}),
      }),
    [wanted],
  );
  const uses = useCounted(
    tools.rows?.map(({ _id }) => _id),
    (ids, signal) => client.call('getToolUses', { query: { ids }, signal }),
    ({ id }) => id,
  );
  const newTool = (
    <LinkButton href="/tools/new" kind="primary" icon="plus">
      New tool
    </LinkButton>
  );
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title="Tools"
        lead="Functions on your servers that assistants may call, for example to look up or book something."
        actions={newTool}
      />
      {tools.error !== undefined && (
        <ErrorState
          title="The tools could not be loaded"
          error={tools.error}
          onRetry={tools.reload}
        />
      )}
      {(wanted !== '' || tools.rows?.length !== 0) && (
        <div>
          <SearchField
            id="tools-search"
            label="Search tools"
            placeholder="Name, description or address"
            value={wanted}
            onChange={(search) => change({ search })}
            pauseMs={TYPING_MS}
          />
        </div>
      )}
      {(tools.rows || tools.error === undefined) && (
        <DataTable
          id="tools"
          label="Tools"
          columns={columnsOf(({ _id }) => uses?.get(_id), setLeaving)}
          rows={tools.rows}
          rowKey={({ _id }) => _id}
          rowHref={({ _id }) => `/tools/${_id}`}
          empty={
            wanted === '' ? (
              <EmptyState icon="tools" title="No tool yet" action={newTool}>
                A tool is a function on your server. Describe what it does and what it needs, and
                the model calls it when the conversation asks for it.
              </EmptyState>
            ) : (
              <EmptyState icon="search" title={`Nothing matches “${wanted}”`}>
                The search covers names, descriptions and addresses. All words must match.
              </EmptyState>
            )
          }
          onMore={tools.more}
          loadingMore={tools.isLoadingMore}
        />
      )}
      {leaving && (
        <DeleteTool
          tool={leaving}
          onDeleted={() => {
            showToast(`“${leaving.function.name}” was deleted.`);
            tools.reload();
          }}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </section>
  );
}

function columnsOf(
  usesOf: (tool: Tool) => UsingAssistants | undefined,
  onDelete: (tool: Tool) => void,
): readonly [Column<Tool>, ...Column<Tool>[]] {
  return [
    { title: 'Name', cell: (tool) => <code>{tool.function.name}</code> },
    { title: 'Server', cell: ({ server }) => hostOf(server.url) },
    {
      title: 'Arguments',
      cell: (tool) => Object.keys(tool.function.parameters.properties ?? {}).length,
      end: true,
    },
    { title: 'Used by', cell: (tool) => <Users uses={usesOf(tool)} /> },
    { title: 'Changed', cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
    {
      title: '',
      end: true,
      cell: (tool) => (
        <Menu
          label={`Actions for “${tool.function.name}”`}
          items={[
            {
              value: 'test',
              label: 'Test it',
              icon: 'play',
              onSelect: () => navigate(`/tools/${tool._id}?test=yes`),
            },
            {
              value: 'delete',
              label: 'Delete …',
              icon: 'trash',
              danger: true,
              onSelect: () => onDelete(tool),
            },
          ]}
        />
      ),
    },
  ];
}

function Users({ uses }: { readonly uses: UsingAssistants | undefined }) {
  if (!uses) return <span class="soft">…</span>;
  const { assistants, firstAssistant: first } = uses;
  if (!first) return <span class="soft">none</span>;
  return (
    <span>
      <Link href={`/assistants/${first._id}?part=tools`}>{first.name}</Link>
      {assistants > 1 && <span class="soft"> and {assistants - 1} more</span>}
    </span>
  );
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
