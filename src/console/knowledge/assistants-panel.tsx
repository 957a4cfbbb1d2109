import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { KnowledgeBase } from '../../client/api.generated.ts';
import type { AssistantWith } from '../all-pages.ts';
import { useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { faultText } from '../ui/fault-text.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../use-action.ts';
import { changeAssistantBases } from './change-assistant-bases.ts';

interface AssistantsPanelProps {
  readonly base: KnowledgeBase;
  readonly assistants: readonly AssistantWith<
    'name' | 'assistantKnowledgeBaseIds' | 'assistantPredefinedTools'
  >[];
  readonly onChanged: () => void;
}

/** Assistants that use the knowledge base, and a way to give it to others. */
export function AssistantsPanel({ base, assistants, onChanged }: AssistantsPanelProps) {
  const client = useClient();
  const [chosen, setChosen] = useState('');
  const users = assistants.filter((it) => it.assistantKnowledgeBaseIds.includes(base.id));
  const others = assistants.filter((it) => !users.includes(it));
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
      onChanged();
    }
  });
  if (assistants.length === 0)
    return (
      <EmptyState
        icon="assistants"
        title="No assistants yet"
        action={
          <LinkButton kind="primary" icon="plus" href="/assistants/new">
            New assistant
          </LinkButton>
        }
      >
        Assistants with this knowledge base search it during calls.
      </EmptyState>
    );
  return (
    <div class="stack">
      {users.length === 0 ? (
        <p class="soft">No assistant uses it yet. Add it to one:</p>
      ) : (
        <ul id="kb-users" class="kb-users" aria-label="Assistants that use it">
          {users.map(({ _id: id, name }) => (
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
      {others.length > 0 && (
        <form
          class="kb-search"
          onSubmit={(event) => {
            event.preventDefault();
            if (chosen !== '') void change.run(chosen, true);
          }}
        >
          <Combobox
            id="kb-attach"
            label="Add to an assistant"
            placeholder="Find an assistant"
            options={others.map(({ _id, name }) => ({ value: _id, label: name }))}
            value={chosen}
            onChange={setChosen}
          />
          <Button type="submit" kind="primary" disabled={chosen === ''} busy={change.busy}>
            Add
          </Button>
        </form>
      )}
    </div>
  );
}
