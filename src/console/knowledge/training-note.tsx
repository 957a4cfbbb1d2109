import type { KnowledgeBase } from '../../client/api.generated.ts';
import { Callout } from '../ui/callout.tsx';
import { TrainingBadge } from './training-badge.tsx';

/** How far the base is, and what stands in its way. */
export function TrainingNote({ base }: { readonly base: KnowledgeBase }) {
  return (
    <div id="training" class="stack" aria-live="polite">
      <p class="kb-training">
        <TrainingBadge base={base} /> <span class="soft">{explain(base)}</span>
      </p>
      {base.statusReason !== undefined && (
        <Callout tone={base.status === 'trained' ? 'warn' : 'bad'}>
          <p>{base.statusReason}</p>
        </Callout>
      )}
    </div>
  );
}

function explain({ status, statusReason }: KnowledgeBase): string {
  if (status === 'draft') return 'There is nothing in it yet.';
  if (status === 'queued' || status === 'training')
    return 'Until it is done, assistants answer from what was there before.';
  if (status === 'created')
    return statusReason === undefined
      ? 'Train it to have it searched.'
      : 'Assistants still answer from what was there before. Put it right and train it again.';
  return 'Assistants answer from everything in it.';
}
