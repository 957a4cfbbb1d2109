import './assistants.css';
import { useState } from 'preact/hooks';
import type { Assistant } from '../../client/api.generated.ts';
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
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import { DeleteAssistant } from './delete-assistant.tsx';
import { duplicateOf } from './duplicate.ts';
import { CallsCell, NumbersCell } from './usage-cells.tsx';

const SHOWN_AT_ONCE = 25;

/** List of assistants: search, open, create, duplicate, delete. */
export function AssistantsPage() {
  const client = useClient();
  const [query, change] = useQuery();
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const [leaving, setLeaving] = useState<Assistant>();
  const assistants = useLoad((signal) => loadAllPages(client, 'listAssistants', signal), [client]);
  const numbers = useLoad((signal) => loadAllPages(client, 'listNumbers', signal), [client]);
  const wanted = query.get('search') ?? '';
  const found = assistants.data && matching(assistants.data, wanted);

  const duplicate = useAction(async (assistant: Assistant) => {
    const taken = (assistants.data ?? []).map(({ name }) => name);
    const copy = await client.call('createAssistant', { body: duplicateOf(assistant, taken) });
    showToast(`“${copy.name}” was created.`);
    navigate(`/assistants/${copy._id}`);
  });

  const columns = columnsOf({
    numbersOf: (id) => numbers.data?.filter(({ assistantId }) => assistantId === id),
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
      {assistants.data?.length !== 0 && (
        <div>
          <SearchField
            id="assistants-search"
            label="Search assistants"
            placeholder="Name, prompt, model or voice"
            value={wanted}
            onChange={(search) => {
              setShown(SHOWN_AT_ONCE);
              change({ search });
            }}
          />
          <p class="visually-hidden" role="status">
            {wanted !== '' && found && `${found.length} found`}
          </p>
        </div>
      )}
      {(assistants.data || assistants.error === undefined) && (
        <DataTable
          id="assistants"
          label="Assistants"
          columns={columns}
          rows={found?.slice(0, shown)}
          rowKey={({ _id }) => _id}
          rowHref={({ _id }) => `/assistants/${_id}`}
          empty={wanted === '' ? <NoneYet /> : <NoneFound wanted={wanted} />}
          onMore={found && found.length > shown ? () => setShown(shown + SHOWN_AT_ONCE) : undefined}
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
  readonly numbersOf: (id: string) => Parameters<typeof NumbersCell>[0]['numbers'];
  readonly onDuplicate: (assistant: Assistant) => void;
  readonly onDelete: (assistant: Assistant) => void;
}

function columnsOf(input: ColumnsInput): readonly [Column<Assistant>, ...Column<Assistant>[]] {
  return [
    { title: 'Name', cell: ({ name }) => name },
    { title: 'Model', cell: modelText },
    { title: 'Voice', cell: voiceText },
    { title: 'Numbers', cell: ({ _id }) => <NumbersCell numbers={input.numbersOf(_id)} /> },
    { title: 'Calls', cell: ({ _id }) => <CallsCell assistantId={_id} />, end: true },
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

function modelText({ assistantProvider, assistantModel }: Assistant): string {
  return assistantModel === '' ? assistantProvider : `${assistantProvider}, ${assistantModel}`;
}

function voiceText({ config }: Assistant): string {
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
      there.
    </EmptyState>
  );
}

/** Assistants whose name, texts or vendors contain every word searched for. */
function matching(assistants: readonly Assistant[], wanted: string): readonly Assistant[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return assistants;
  return assistants.filter((assistant) => {
    const text = searchable(assistant);
    return words.every((word) => text.includes(word));
  });
}

function searchable(assistant: Assistant): string {
  const { _id, name, assistantProvider, assistantModel, assistantSystemPrompt } = assistant;
  const { stt, ttsData } = assistant.config.speech;
  const voices = ttsData.filter(({ enabled }) => enabled).map(({ vendor }) => vendor);
  return [
    _id,
    name,
    assistantProvider,
    assistantModel,
    assistant.welcomeMessage,
    assistantSystemPrompt,
    stt.vendor,
    stt.languages,
    ...voices,
  ]
    .join('\n')
    .toLowerCase();
}
