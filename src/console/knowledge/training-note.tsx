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
            Give it to an assistant
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
  if (status === 'draft') return 'There is nothing in it yet: write a question, or add a file.';
  if (status === 'created' && statusReason !== undefined)
    return 'Assistants still answer from what was there before. Put it right and train it again.';
  if (users === 0) return 'No assistant looks things up in it yet.';
  if (status === 'queued' || status === 'training')
    return 'Until it is done, assistants answer from what was there before.';
  if (status === 'created') return 'Train it to have it searched.';
  return 'Assistants answer from everything in it.';
}
