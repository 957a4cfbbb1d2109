import type { Assistant } from '../../client/api.generated.ts';
import { useClient } from '../session.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useLoad } from '../use-load.ts';

const MOST_NAMED = 20;

interface DeleteAssistantProps {
  readonly assistant: Pick<Assistant, '_id' | 'name'>;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** Confirms the deletion and lists where the assistant is used; it cannot be deleted while a number is attached. */
export function DeleteAssistant({ assistant, onDeleted, onClose }: DeleteAssistantProps) {
  const client = useClient();
  const id = assistant._id;
  const usage = useLoad(
    async (signal) => {
      const [numbers, live] = await Promise.all([
        client.call('listNumbers', { query: { assistantId: id, limit: MOST_NAMED }, signal }),
        client.call('listCalls', {
          query: { assistantId: id, status: 'ongoing', size: 1 },
          signal,
        }),
      ]);
      return { numbers, live: live.totalCount };
    },
    [client, id],
  );
  const title = `Delete “${assistant.name}”?`;
  if (usage.data && usage.data.numbers.length === 0) {
    const { live } = usage.data;
    return (
      <ConfirmDialog
        title={title}
        action="Delete"
        onConfirm={async () => {
          await client.call('deleteAssistant', { path: { id } });
          onDeleted();
        }}
        onClose={onClose}
      >
        <p>
          No phone number uses it.{' '}
          {live > 0 && `${liveCalls(live)} with it, and will be finished. `}
          Its past calls stay. This cannot be undone.
        </p>
      </ConfirmDialog>
    );
  }
  return (
    <Dialog title={title} shape="narrow" onClose={onClose}>
      {usage.error !== undefined && (
        <ErrorState
          title="Could not load where it is used"
          error={usage.error}
          onRetry={usage.reload}
        />
      )}
      {usage.data ? (
        <>
          <p>
            It cannot be deleted while a phone number uses it. Remove it from these numbers first:
          </p>
          <div class="row">
            {usage.data.numbers.map(({ _id, number, label }) => (
              <LinkButton key={_id} href={`/numbers/${_id}`} icon="numbers" small>
                {number} {label && `(${label})`}
              </LinkButton>
            ))}
          </div>
        </>
      ) : (
        usage.error === undefined && <Skeleton lines={2} />
      )}
    </Dialog>
  );
}

function liveCalls(count: number): string {
  return count === 1 ? 'One call is going on' : `${count} calls are going on`;
}
