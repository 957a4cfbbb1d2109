import { useState } from 'preact/hooks';
import type { KnowledgeBase } from '../../client/api.generated.ts';
import { useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { faultText } from '../ui/fault-text.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Menu } from '../ui/menu.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../use-action.ts';
import { BaseFields, faultsOfNames } from './base-fields.tsx';
import { changeBase } from './change-base.ts';
import { isUnderway } from './training-status.ts';

interface BaseActionsProps {
  readonly base: KnowledgeBase;
  readonly onChanged: (base: KnowledgeBase) => void;
  readonly onReload: () => void;
  readonly onDeleted: () => void;
}

/** Actions on a knowledge base as a whole. */
export function BaseActions({ base, onChanged, onReload, onDeleted }: BaseActionsProps) {
  const client = useClient();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const path = { id: base.id };
  const close = (): void => setOpen(undefined);
  const train = useAction(async () => {
    try {
      onChanged({ ...base, ...(await client.call('trainKnowledgeBase', { path })) });
    } catch (error) {
      showToast(faultText(error), 'bad');
      throw error;
    }
    onReload();
  });
  return (
    <>
      <Button
        icon="refresh"
        busy={train.busy}
        disabled={base.status === 'draft' || isUnderway(base)}
        onClick={() => train.run()}
      >
        Train again
      </Button>
      <Menu
        label={`Actions for ${base.title}`}
        items={[
          { value: 'edit', label: 'Rename', icon: 'edit', onSelect: () => setOpen('edit') },
          {
            value: 'delete',
            label: 'Delete',
            icon: 'trash',
            danger: true,
            onSelect: () => setOpen('delete'),
          },
        ]}
      />
      {open === 'edit' && <RenameDialog base={base} onChanged={onChanged} onClose={close} />}
      {open === 'delete' && <DeleteDialog base={base} onDeleted={onDeleted} onClose={close} />}
    </>
  );
}

interface RenameDialogProps extends Pick<BaseActionsProps, 'base' | 'onChanged'> {
  readonly onClose: () => void;
}

function RenameDialog({ base, onChanged, onClose }: RenameDialogProps) {
  const client = useClient();
  const [names, setNames] = useState({ title: base.title, description: base.description });
  return (
    <FormDialog
      title="Rename the knowledge base"
      action="Save"
      done="Saved."
      check={() => faultsOfNames(names)}
      onSubmit={async () =>
        onChanged(await changeBase(client, base.id, (current) => ({ ...current, ...names })))
      }
      onClose={onClose}
    >
      {(faults) => <BaseFields value={names} onChange={setNames} faults={faults} />}
    </FormDialog>
  );
}

interface DeleteDialogProps extends Pick<BaseActionsProps, 'base' | 'onDeleted'> {
  readonly onClose: () => void;
}

function DeleteDialog({ base, onDeleted, onClose }: DeleteDialogProps) {
  const client = useClient();
  return (
    <ConfirmDialog
      title={`Delete “${base.title}”?`}
      action="Delete"
      onConfirm={async () => {
        await client.call('deleteKnowledgeBase', { path: { id: base.id } });
        showToast(`“${base.title}” was deleted.`);
        onDeleted();
      }}
      onClose={onClose}
    >
      <p>
        Its questions and answers are deleted too, and assistants no longer find them. This cannot
        be undone.
      </p>
    </ConfirmDialog>
  );
}
