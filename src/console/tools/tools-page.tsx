import './tools.css';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Assistant, Tool } from '../../client/api.generated.ts';
import { loadAllPages } from '../all-pages.ts';
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
import { useLoad } from '../use-load.ts';
import { DeleteTool } from './delete-tool.tsx';
import { usersOf } from './tool-usage.ts';

const SHOWN_AT_ONCE = 25;

/** List of tools: functions on the user's servers that assistants may call. */
export function ToolsPage() {
  const client = useClient();
  const [query, change] = useQuery();
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const [leaving, setLeaving] = useState<Tool>();
  const tools = useLoad(
    async (signal) => {
      const [all, assistants] = await Promise.all([
        loadAllPages(client, 'listTools', signal),
        loadAllPages(client, 'listAssistants', signal),
      ]);
      return { all, assistants };
    },
    [client],
  );
  const wanted = query.get('search') ?? '';
  const found = tools.data && matching(tools.data.all, wanted);
  const usersOfTool = ({ _id }: Tool) => usersOf(tools.data?.assistants ?? [], _id);
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
      {tools.data?.all.length !== 0 && (
        <div>
          <SearchField
            id="tools-search"
            label="Search tools"
            placeholder="Name, description or address"
            value={wanted}
            onChange={(search) => {
              setShown(SHOWN_AT_ONCE);
              change({ search });
            }}
          />
        </div>
      )}
      {(tools.data || tools.error === undefined) && (
        <DataTable
          id="tools"
          label="Tools"
          columns={columnsOf(usersOfTool, setLeaving)}
          rows={found?.slice(0, shown)}
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
          onMore={found && found.length > shown ? () => setShown(shown + SHOWN_AT_ONCE) : undefined}
        />
      )}
      {leaving && (
        <DeleteTool
          tool={leaving}
          users={usersOfTool(leaving)}
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
  users: (tool: Tool) => readonly Assistant[],
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
    { title: 'Used by', cell: (tool) => <Users users={users(tool)} /> },
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

function Users({ users: [first, ...others] }: { readonly users: readonly Assistant[] }) {
  if (!first) return <span class="soft">none</span>;
  return (
    <span>
      <Link href={`/assistants/${first._id}?part=tools`}>{first.name}</Link>
      {others.length > 0 && <span class="soft"> and {others.length} more</span>}
    </span>
  );
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}

function matching(tools: readonly Tool[], wanted: string): readonly Tool[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  return tools.filter((tool) => {
    const { name, description } = tool.function;
    const text = `${name}\n${description}\n${tool.server.url}\n${tool._id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
