import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { KnowledgeBase } from '../../client/api.generated.ts';
import { AssistantField } from '../assistants/assistant-field.tsx';
import type { AssistantWith } from '../named.ts';
import { useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { faultText } from '../ui/fault-text.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../use-action.ts';
import { usePages } from '../use-pages.ts';
import { changeAssistantBases } from './change-assistant-bases.ts';

type User = AssistantWith<'name'>;

interface AssistantsPanelProps {
  readonly base: KnowledgeBase;
  readonly onChanged: () => void;
}

/** Assistants that use the knowledge base, and a way to give it to others. */
export function AssistantsPanel({ base, onChanged }: AssistantsPanelProps) {
  const client = useClient();
  const [chosen, setChosen] = useState('');
  const users = usePages<User>(
    (page, signal) =>
      client.open('listAssistants', {
        query: { ...page, fields: 'name', knowledgeBaseId: base.id },
        ...(signal ? { signal } : {}),
      }),
    [base.id],
  );
  const change = useAction(async (id: string, isUsed: boolean) => {
    try {
      await changeAssistantBases(client, id, (ids) =>
        isUsed
          ? [...ids.filter((it) => it !== base.id), base.id]
          : ids.filter((it) => it !== base.id),
      );
      setChosen('');
    } catch (error) {
      showToast(faultText(error), 'bad');
      throw error;
    } finally {
      users.reload();
      onChanged();
    }
  });
  if (users.error !== undefined)
    return (
      <ErrorState
        title="The assistants could not be loaded"
        error={users.error}
        onRetry={users.reload}
      />
    );
  if (!users.rows)
    return (
      <div class="late">
        <Skeleton lines={3} />
      </div>
    );
  return (
    <div class="stack">
      {users.rows.length === 0 ? (
        <p class="soft">No assistant uses it yet. Add it to one:</p>
      ) : (
        <ul id="kb-users" class="kb-users" aria-label="Assistants that use it">
          {users.rows.map(({ _id: id, name }) => (
            <li key={id} class="card kb-user">
              <Link href={`/assistants/${id}`}>{name}</Link>
              <div class="row">
                <LinkButton small icon="talk" href={`/talk?assistantId=${id}`}>
                  Talk to it
                </LinkButton>
                <Button
                  small
                  kind="quiet"
                  busy={change.busy}
                  aria-label={`Remove from ${name}`}
                  onClick={() => change.run(id, false)}
                >
                  Remove
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {users.more && (
        <Button busy={users.isLoadingMore} onClick={users.more}>
          Show more
        </Button>
      )}
      <form
        class="kb-search"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen !== '') void change.run(chosen, true);
        }}
      >
        <AssistantField
          id="kb-attach"
          label="Add to an assistant"
          value={chosen}
          onChange={setChosen}
        />
        <Button type="submit" kind="primary" disabled={chosen === ''} busy={change.busy}>
          Add
        </Button>
      </form>
    </div>
  );
}
