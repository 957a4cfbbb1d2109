import './assistants.css';
import { useState } from 'preact/hooks';
import type { AssistantUses } from '../../client/api.generated.ts';
import type { AssistantWith } from '../named.ts';
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
import { useAction } from '../use-action.ts';
import { useCounted, usePages } from '../use-pages.ts';
import { DeleteAssistant } from './delete-assistant.tsx';
import { duplicateOf, takenNames } from './duplicate.ts';
import { CallsCell, NumbersCell } from './usage-cells.tsx';

const TYPING_MS = 300;

/** What the list shows. */
const FIELDS = ['name', 'assistantProvider', 'assistantModel', 'config', 'updatedAt'] as const;
type Listed = AssistantWith<(typeof FIELDS)[number]>;

/** List of assistants: search, open, create, duplicate, delete. */
export function AssistantsPage() {
  const client = useClient();
  const [query, change] = useQuery();
  const [leaving, setLeaving] = useState<Listed>();
  const wanted = query.get('search') ?? '';
  const assistants = usePages<Listed>(
    (page, signal) =>
      client.open('listAssistants', {
        query: { ...page, fields: FIELDS.join(), ...(wanted === '' ? {} : { search: wanted }) },
        ...(signal ? { signal } : {}),
      }),
    [wanted],
  );
  const found = assistants.rows;
  const uses = useCounted(
    found?.map(({ _id }) => _id),
    (ids, signal) => client.call('getAssistantUses', { query: { ids }, signal }),
    ({ _id }) => _id,
  );

  const duplicate = useAction(async (assistant: Listed) => {
    const taken = await takenNames(client, assistant.name);
    const whole = await client.call('getAssistant', { path: { id: assistant._id } });
    const copy = await client.call('createAssistant', { body: duplicateOf(whole, taken) });
    showToast(`“${copy.name}” was created.`);
    navigate(`/assistants/${copy._id}`);
  });

  const columns = columnsOf({
    usesOf: (id) => uses?.get(id),
    onDuplicate: (assistant) => duplicate.run(assistant),
    onDelete: setLeaving,
  });
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title="Assistants"
        lead="An assistant has a voice, a prompt, knowledge and tools."
        actions={
          <LinkButton href="/assistants/new" kind="primary" icon="plus">
            New assistant
          </LinkButton>
        }
      />
      {assistants.error !== undefined && (
        <ErrorState
          title="The assistants could not be loaded"
          error={assistants.error}
          onRetry={assistants.reload}
        />
      )}
      {duplicate.error !== undefined && (
        <ErrorState title="The assistant could not be duplicated" error={duplicate.error} />
      )}
      {(wanted !== '' || found?.length !== 0) && (
        <div>
          <SearchField
            id="assistants-search"
            label="Search assistants"
            placeholder="Name, prompt, model or voice"
            value={wanted}
            onChange={(search) => change({ search })}
            pauseMs={TYPING_MS}
          />
          <p class="visually-hidden" role="status">
            {wanted !== '' && found && `${found.length}${assistants.more ? ' or more' : ''} found`}
          </p>
        </div>
      )}
      {(found || assistants.error === undefined) && (
        <DataTable
          id="assistants"
          label="Assistants"
          columns={columns}
          rows={found}
          rowKey={({ _id }) => _id}
          rowHref={({ _id }) => `/assistants/${_id}`}
          empty={wanted === '' ? <NoneYet /> : <NoneFound wanted={wanted} />}
          onMore={assistants.more}
          loadingMore={assistants.isLoadingMore}
        />
      )}
      {leaving && (
        <DeleteAssistant
          assistant={leaving}
          onDeleted={() => {
            showToast(`“${leaving.name}” was deleted.`);
            assistants.reload();
          }}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </section>
  );
}

interface ColumnsInput {
  /** Undefined while loading. */
  readonly usesOf: (id: string) => AssistantUses | undefined;
  readonly onDuplicate: (assistant: Listed) => void;
  readonly onDelete: (assistant: Listed) => void;
}

function columnsOf(input: ColumnsInput): readonly [Column<Listed>, ...Column<Listed>[]] {
  return [
    { title: 'Name', cell: ({ name }) => name },
    { title: 'Model', cell: modelText },
    { title: 'Voice', cell: voiceText },
    { title: 'Numbers', cell: ({ _id }) => <NumbersCell uses={input.usesOf(_id)} /> },
    {
      title: 'Calls',
      cell: ({ _id }) => <CallsCell assistantId={_id} uses={input.usesOf(_id)} />,
      end: true,
    },
    { title: 'Changed', cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
    {
      title: '',
      end: true,
      cell: (assistant) => (
        <Menu
          label={`Actions for “${assistant.name}”`}
          items={[
            {
              value: 'talk',
              label: 'Talk to it',
              icon: 'talk',
              onSelect: () => navigate(`/talk?assistantId=${assistant._id}`),
            },
            {
              value: 'duplicate',
              label: 'Duplicate',
              icon: 'copy',
              onSelect: () => input.onDuplicate(assistant),
            },
            {
              value: 'delete',
              label: 'Delete …',
              icon: 'trash',
              danger: true,
              onSelect: () => input.onDelete(assistant),
            },
          ]}
        />
      ),
    },
  ];
}

function modelText({ assistantProvider, assistantModel }: Listed): string {
  return assistantModel === '' ? assistantProvider : `${assistantProvider}, ${assistantModel}`;
}

function voiceText({ config }: Listed): string {
  const first = config.speech.ttsData.find(({ enabled }) => enabled);
  if (!first) return '';
  return first.voice === '' ? first.vendor : `${first.vendor}, ${first.voice}`;
}

function NoneYet() {
  return (
    <EmptyState
      icon="assistants"
      title="No assistant yet"
      action={
        <LinkButton href="/assistants/new" kind="primary" icon="plus">
          New assistant
        </LinkButton>
      }
    >
      An assistant answers calls from the web or the phone: give it a name and say what it should
      do, then talk to it.
    </EmptyState>
  );
}

function NoneFound({ wanted }: { readonly wanted: string }) {
  return (
    <EmptyState icon="search" title={`Nothing matches “${wanted}”`}>
      The search covers names, prompts, welcome messages, models and voices. All words must match.
    </EmptyState>
  );
}
