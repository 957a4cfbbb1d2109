import type { Assistant, Tool } from '../../client/api.generated.ts';
import { useClient } from '../session.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { LinkButton } from '../ui/link-button.tsx';

interface DeleteToolProps {
  readonly tool: Tool;
  readonly users: readonly Assistant[];
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** Confirms the deletion of a tool; a tool in use cannot be deleted, and its assistants are listed. */
export function DeleteTool({ tool, users, onDeleted, onClose }: DeleteToolProps) {
  const client = useClient();
  const title = `Delete “${tool.function.name}”?`;
  if (users.length > 0) {
    return (
      <Dialog title={title} shape="narrow" onClose={onClose}>
        <p>
          It cannot be deleted while an assistant uses it. Remove it from these assistants first:
        </p>
        <div class="row">
          {users.map(({ _id, name }) => (
            <LinkButton key={_id} href={`/assistants/${_id}?part=tools`} icon="assistants" small>
              {name}
            </LinkButton>
          ))}
        </div>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title={title}
      action="Delete"
      onConfirm={async () => {
        await client.call('deleteTool', { path: { id: tool._id } });
        onDeleted();
      }}
      onClose={onClose}
    >
      <p>No assistant uses it. Live calls keep it. This cannot be undone.</p>
    </ConfirmDialog>
  );
}
