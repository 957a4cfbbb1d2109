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
import { TemplateChoice } from './template-choice.tsx';
import { BLANK } from './templates/all-templates.ts';
import { createFromTemplate } from './templates/create-from-template.ts';
import type { AssistantTemplate } from './templates/template.ts';

const FIELDS = ['name', 'welcomeMessage', 'assistantSystemPrompt'] as const;
type Draft = Readonly<Record<(typeof FIELDS)[number], string>>;

const draftOf = ({ assistant }: AssistantTemplate): Draft => ({
  name: assistant.name,
  welcomeMessage: assistant.welcomeMessage ?? '',
  assistantSystemPrompt: assistant.assistantSystemPrompt ?? '',
});

/** Creates an assistant from a template, or from its three most important settings alone. */
export function NewAssistantPage() {
  const client = useClient();
  const [template, setTemplate] = useState(BLANK);
  const [draft, setDraft] = useState(draftOf(BLANK));
  const [servers, setServers] = useState<Readonly<Record<string, string>>>({});
  const [made, setMade] = useState<string>();
  const [missing, setMissing] = useState(false);
  const create = useAction(
    async () => {
      const creation = { template, fields: draft, servers };
      const { _id, warnings } = await createFromTemplate(client, creation);
      showWarnings(warnings);
      setMade(_id);
    },
    { done: () => `“${draft.name}” was created.` },
  );
  const untouched = draftOf(template);
  const dirty = made === undefined && FIELDS.some((name) => draft[name] !== untouched[name]);
  useUnsavedGuard(dirty);
  // Navigate after the unsaved-changes guard is removed, or it would ask about changes that are saved.
  useEffect(() => {
    if (made !== undefined) navigate(`/assistants/${made}?try=${template.id}`, { replace: true });
  }, [made, template.id]);

  const faults = fieldFaults(create.error);
  const elsewhere = create.error !== undefined && !Object.keys(faults).some((it) => it in draft);
  /** What was written by hand stays. */
  const choose = (next: AssistantTemplate): void => {
    const theirs = draftOf(next);
    const kept = FIELDS.filter((name) => draft[name] !== untouched[name]);
    setDraft({ ...theirs, ...Object.fromEntries(kept.map((name) => [name, draft[name]])) });
    setTemplate(next);
    setMissing(false);
  };
  const write = (name: keyof Draft) => (text: string) => {
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
        <TemplateChoice value={template} onChange={choose} />
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
          rows={12}
          value={draft.assistantSystemPrompt}
          maxLength={100_000}
          onChange={write('assistantSystemPrompt')}
          error={faults.assistantSystemPrompt}
        />
        {template.tools?.map(({ function: { name }, asksFor }) => (
          <TextField
            key={name}
            id={`server-${name}`}
            label={asksFor}
            optional
            help={`The tool ${name} sends its requests to it. Leave empty to create the assistant without this tool.`}
            type="url"
            placeholder="https://shop.example.com/orders"
            value={servers[name] ?? ''}
            onChange={(url) => setServers({ ...servers, [name]: url })}
          />
        ))}
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
