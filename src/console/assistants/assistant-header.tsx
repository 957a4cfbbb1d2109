import { useState } from 'preact/hooks';
import type { Assistant } from '../../client/api.generated.ts';
import { loadAllPages } from '../all-pages.ts';
import { navigate } from '../router.ts';
import { useClient } from '../session.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { faultText } from '../ui/fault-text.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { Menu } from '../ui/menu.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import { DeleteAssistant } from './delete-assistant.tsx';
import { duplicateOf } from './duplicate.ts';
import { CallsCell, NumbersCell } from './usage-cells.tsx';

interface AssistantHeaderProps {
  readonly assistant: Assistant;
  /** There are unsaved changes; Duplicate copies the stored version. */
  readonly dirty: boolean;
}

/** Name of an assistant, where it is used, and the actions on it as a whole. */
export function AssistantHeader({ assistant, dirty }: AssistantHeaderProps) {
  const client = useClient();
  const [leaving, setLeaving] = useState(false);
  const id = assistant._id;
  const numbers = useLoad((signal) => loadAllPages(client, 'listNumbers', signal), [client]);
  const duplicate = useAction(async () => {
    try {
      const all = await loadAllPages(client, 'listAssistants', AbortSignal.timeout(30_000));
      const body = duplicateOf(
        assistant,
        all.map(({ name }) => name),
      );
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
              Numbers:{' '}
              <NumbersCell
                numbers={numbers.data?.filter(({ assistantId }) => assistantId === id)}
              />
            </span>
            <span>
              Calls: <CallsCell assistantId={id} />
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
                  value: 'delete',
                  label: 'Delete …',
                  icon: 'trash',
                  danger: true,
                  onSelect: () => setLeaving(true),
                },
              ]}
            />
            <LinkButton href={`/talk?assistantId=${id}`} kind="primary" icon="talk">
              Talk to it
            </LinkButton>
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
