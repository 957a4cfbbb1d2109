import type { Tool } from '../../client/api.generated.ts';
import { useClient } from '../session.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useLoad } from '../use-load.ts';
import { loadToolUsers } from './tool-usage.ts';

interface DeleteToolProps {
  readonly tool: Tool;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** Confirms the deletion of a tool; a tool in use cannot be deleted, and its assistants are listed. */
export function DeleteTool({ tool, onDeleted, onClose }: DeleteToolProps) {
  const client = useClient();
  const title = `Delete “${tool.function.name}”?`;
  const { data, error, reload } = useLoad(
    (signal) => loadToolUsers(client, tool._id, signal),
    [client, tool._id],
  );
  if (!data)
    return (
      <Dialog title={title} shape="narrow" onClose={onClose}>
        {error === undefined ? (
          <Skeleton lines={2} />
        ) : (
          <ErrorState title="Could not load where it is used" error={error} onRetry={reload} />
        )}
      </Dialog>
    );
  if (data.length > 0) {
    return (
      <Dialog title={title} shape="narrow" onClose={onClose}>
        <p>
          It cannot be deleted while an assistant uses it. Remove it from these assistants first:
        </p>
        <div class="row">
          {data.map(({ _id, name }) => (
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
