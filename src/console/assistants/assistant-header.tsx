import { useState } from 'preact/hooks';
import type { Assistant } from '../../client/api.generated.ts';
import { lazyPart } from '../lazy-page.tsx';
import { navigate } from '../router.ts';
import { useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { faultText } from '../ui/fault-text.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { Menu } from '../ui/menu.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../use-action.ts';
import { useCounted } from '../use-pages.ts';
import { CallsCell, NumbersCell } from './usage-cells.tsx';

const DeleteAssistant = lazyPart(
  async () => (await import('./delete-assistant.tsx')).DeleteAssistant,
);

interface AssistantHeaderProps {
  readonly assistant: Assistant;
  /** There are unsaved changes; Duplicate copies the stored version. */
  readonly dirty: boolean;
  /** The call beside the form is open. */
  readonly trying: boolean;
  readonly onTry: () => void;
}

/** Name of an assistant, where it is used, and the actions on it as a whole. */
export function AssistantHeader({ assistant, dirty, trying, onTry }: AssistantHeaderProps) {
  const client = useClient();
  const [leaving, setLeaving] = useState(false);
  const id = assistant._id;
  const uses = useCounted(
    [id],
    (ids, signal) => client.call('getAssistantUses', { query: { ids }, signal }),
    ({ _id }) => _id,
  )?.get(id);
  const duplicate = useAction(async () => {
    try {
      const { duplicateOf, takenNames } = await import('./duplicate.ts');
      const body = duplicateOf(assistant, await takenNames(client, assistant.name));
      const copy = await client.call('createAssistant', { body });
      showToast(`“${copy.name}” was created.`);
      navigate(`/assistants/${copy._id}`);
    } catch (error) {
      showToast(`The assistant could not be duplicated. ${faultText(error)}`, 'bad');
      throw error;
    }
  });
  return (
    <>
      <PageHeader
        title={assistant.name}
        back={{ href: '/assistants', name: 'Assistants' }}
        lead={
          <span class="assistant-usage">
            <span>
              Numbers: <NumbersCell uses={uses} />
            </span>
            <span>
              Calls: <CallsCell assistantId={id} uses={uses} />
            </span>
            <span class="assistant-id">
              Id: <code>{id}</code> <CopyButton text={id} />
            </span>
          </span>
        }
        actions={
          <>
            <Menu
              label={`Actions for “${assistant.name}”`}
              items={[
                {
                  value: 'duplicate',
                  label: 'Duplicate',
                  icon: 'copy',
                  disabled: dirty,
                  ...(dirty ? { detail: 'Save or discard the changes first' } : {}),
                  onSelect: () => duplicate.run(),
                },
                {
                  value: 'talk',
                  label: 'Talk on its own page',
                  icon: 'talk',
                  onSelect: () => navigate(`/talk?assistantId=${id}`),
                },
                {
                  value: 'delete',
                  label: 'Delete …',
                  icon: 'trash',
                  danger: true,
                  onSelect: () => setLeaving(true),
                },
              ]}
            />
            <LinkButton href={`/tests?assistantId=${id}`}>Tests</LinkButton>
            <LinkButton href={`/assistants/${id}/versions`}>Versions</LinkButton>
            <Button kind="primary" icon="talk" aria-expanded={trying} onClick={onTry}>
              Talk to it
            </Button>
          </>
        }
      />
      {leaving && (
        <DeleteAssistant
          assistant={assistant}
          onDeleted={() => {
            showToast(`“${assistant.name}” was deleted.`);
            navigate('/assistants', { replace: true });
          }}
          onClose={() => setLeaving(false)}
        />
      )}
    </>
  );
}
