import './assistants.css';
import type { TargetedSubmitEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { fieldFaults } from '../field-faults.ts';
import { navigate } from '../router.ts';
import { useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { faultText } from '../ui/fault-text.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useAction } from '../use-action.ts';
import { useUnsavedGuard } from '../use-leaving-guard.ts';
import { showWarnings } from './save-assistant.ts';

const EMPTY = { name: '', welcomeMessage: '', assistantSystemPrompt: '' };

/** Creates an assistant from its three most important settings; all others start with their defaults. */
export function NewAssistantPage() {
  const client = useClient();
  const [draft, setDraft] = useState(EMPTY);
  const [made, setMade] = useState<string>();
  const [missing, setMissing] = useState(false);
  const create = useAction(
    async () => {
      const { _id, warnings } = await client.call('createAssistant', { body: draft });
      showWarnings(warnings);
      setMade(_id);
    },
    { done: () => `“${draft.name}” was created.` },
  );
  const dirty = made === undefined && Object.values(draft).some((text) => text.trim() !== '');
  useUnsavedGuard(dirty);
  // Navigate after the unsaved-changes guard is removed, or it would ask about changes that are saved.
  useEffect(() => {
    if (made !== undefined) navigate(`/assistants/${made}`, { replace: true });
  }, [made]);

  const faults = fieldFaults(create.error);
  const elsewhere = create.error !== undefined && !Object.keys(faults).some((it) => it in draft);
  const write = (name: keyof typeof EMPTY) => (text: string) => {
    setDraft({ ...draft, [name]: text });
    if (name === 'name') setMissing(false);
  };
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const blank = draft.name.trim() === '';
    setMissing(blank);
    if (blank) document.getElementById('assistant-name')?.focus();
    else await create.run();
  };

  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title="New assistant"
        lead="You can change everything later. All other settings have sensible defaults."
        back={{ href: '/assistants', name: 'Assistants' }}
      />
      <form class="stack assistants-new" noValidate onSubmit={submit}>
        {elsewhere && <Callout tone="bad">{faultText(create.error)}</Callout>}
        <TextField
          id="assistant-name"
          label="Name"
          help="Only your team sees it."
          value={draft.name}
          maxLength={200}
          onChange={write('name')}
          error={missing ? 'Enter a name.' : faults.name}
        />
        <TextArea
          id="assistant-welcome"
          label="Welcome message"
          optional
          help="Spoken first. Left empty, the model opens the conversation."
          placeholder="Good morning, this is the dental practice. How can I help?"
          rows={2}
          value={draft.welcomeMessage}
          maxLength={5000}
          onChange={write('welcomeMessage')}
          error={faults.welcomeMessage}
        />
        <TextArea
          id="assistant-prompt"
          label="What should it do?"
          optional
          help="The system prompt: describe its task, knowledge and tone, and what it must not do."
          placeholder="You answer the phone of a dental practice. Find out what the caller needs …"
          rows={8}
          value={draft.assistantSystemPrompt}
          maxLength={100_000}
          onChange={write('assistantSystemPrompt')}
          error={faults.assistantSystemPrompt}
        />
        <div class="row">
          <Button type="submit" kind="primary" busy={create.busy}>
            Create assistant
          </Button>
          <LinkButton href="/assistants" kind="quiet">
            Cancel
          </LinkButton>
        </div>
      </form>
    </section>
  );
}
