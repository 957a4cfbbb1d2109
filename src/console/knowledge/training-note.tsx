import type { KnowledgeBase } from '../../client/api.generated.ts';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { TrainingBadge } from './training-badge.tsx';

interface TrainingNoteProps {
  readonly base: KnowledgeBase;
  /** Number of assistants that use the base; undefined while unknown. */
  readonly users: number | undefined;
  readonly onGive: () => void;
}

/** Training status of the base, any problems, and the next step for the user. */
export function TrainingNote({ base, users, onGive }: TrainingNoteProps) {
  return (
    <div id="training" class="stack" aria-live="polite">
      <p class="kb-training">
        <TrainingBadge base={base} /> <span class="soft">{explain(base, users)}</span>
        {users === 0 && base.status !== 'draft' && (
          <Button small icon="assistants" onClick={onGive}>
            Add to an assistant
          </Button>
        )}
      </p>
      {base.statusReason !== undefined && (
        <Callout tone={base.status === 'trained' ? 'warn' : 'bad'}>
          <p>{base.statusReason}</p>
        </Callout>
      )}
    </div>
  );
}

function explain({ status, statusReason }: KnowledgeBase, users: number | undefined): string {
  if (status === 'draft') return 'It is empty. Write questions or add files.';
  if (status === 'created' && statusReason !== undefined)
    return 'Assistants still use the previous version. Fix the problem and train again.';
  if (users === 0) return 'No assistant uses it yet.';
  if (status === 'queued' || status === 'training')
    return 'Until training ends, assistants use the previous version.';
  if (status === 'created') return 'Train it to make it searchable.';
  return 'Assistants use the current version.';
}
