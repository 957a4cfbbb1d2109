import { useMemo, useState } from 'preact/hooks';
import { FaultSummary, focusField } from '../form/fault-summary.tsx';
import { pathLabel } from '../form/field-text.ts';
import { FormProvider, pathOfControl } from '../form/form-scope.ts';
import type { JsonSchema } from '../form/json-schema.ts';
import { JsonWidget } from '../form/json-widget.tsx';
import { patchedPaths } from '../form/merge-diff.ts';
import { SaveBar } from '../form/save-bar.tsx';
import { useForm } from '../form/use-form.ts';
import { type Values, valueAt } from '../form/value-path.ts';
import { BUILT_IN_VARIABLES, type KnownVariable, KnownVariables } from '../form/variables.ts';
import { WIDGETS } from '../form/widgets.ts';
import { useQuery } from '../place.ts';
import { useClient } from '../session.ts';
import { Callout } from '../ui/callout.tsx';
import { faultText } from '../ui/fault-text.ts';
import { useAction } from '../use-action.ts';
import { useUnsavedGuard } from '../use-unsaved-guard.ts';
import { AssistantHeader } from './assistant-header.tsx';
import { ASSISTANT_TEXTS } from './field-texts.ts';
import { GroupNavigation } from './group-navigation.tsx';
import { GroupPanel } from './group-panel.tsx';
import { ASSISTANT_GROUPS, groupOf } from './groups.ts';
import { KnowledgeBasesWidget, ToolsWidget } from './reference-widgets.tsx';
import { configOf, type ReadAssistant, savePatch } from './save-assistant.ts';
import { settleAssistant } from './settle.ts';
import { SoundWidget } from './sound-widget.tsx';

const ASSISTANT_WIDGETS = {
  ...WIDGETS,
  tools: ToolsWidget,
  'knowledge-bases': KnowledgeBasesWidget,
  sound: SoundWidget,
  workflow: JsonWidget,
  schema: JsonWidget,
};

interface AssistantEditorProps {
  readonly initial: ReadAssistant;
  readonly schema: JsonSchema;
}

/** Every field of an assistant, group by group; saved are only those that changed. */
export function AssistantEditor({ initial, schema }: AssistantEditorProps) {
  const client = useClient();
  const [query, change] = useQuery();
  const [read, setRead] = useState(initial);
  const [clash, setClash] = useState<readonly string[]>([]);
  const [tries, setTries] = useState(0);
  const form = useForm(schema, configOf(initial.assistant), settleAssistant);
  const changed = patchedPaths(form.patch);
  useUnsavedGuard(changed.length > 0);

  const save = useAction(
    async () => {
      const sent = form.value;
      setClash([]);
      try {
        const outcome = await savePatch(client, read, form.patch);
        setRead(outcome.read);
        if (outcome.kind === 'saved') {
          form.rebase(configOf(outcome.read.assistant), sent);
          setTries(0);
        } else {
          form.rebase(configOf(outcome.read.assistant));
          setClash(outcome.paths);
          throw new Error('It is not saved yet');
        }
      } catch (error) {
        form.refuse(error);
        setTries((before) => before + 1);
        throw error;
      }
    },
    { done: 'Saved.' },
  );

  const groups = ASSISTANT_GROUPS.filter(({ when }) => when?.(form.value) ?? true);
  const group = groups.find(({ id }) => id === query.get('part')) ?? ASSISTANT_GROUPS[0];
  const show = (id: string): void =>
    change({ part: id === ASSISTANT_GROUPS[0].id ? undefined : id });
  const trySave = (): void => {
    if (form.check()) save.run();
    else setTries((before) => before + 1);
  };
  const variables = useMemo(() => variablesOf(form.value), [form.value]);
  const placed = Object.keys(form.faults).some((path) => path !== '');

  return (
    <section class="page" aria-labelledby="page-title">
      <AssistantHeader assistant={read.assistant} dirty={changed.length > 0} />
      {clash.length > 0 && (
        <Callout tone="warn">
          <p>
            <strong>Somebody else changed the same meanwhile:</strong>{' '}
            {clash.map((path) => pathLabel(ASSISTANT_TEXTS, path)).join('; ')}. Nothing is saved
            yet. Your changes still stand here, over theirs: save again to keep them, or discard
            them to see theirs.
          </p>
        </Callout>
      )}
      {save.error !== undefined && clash.length === 0 && !placed && (
        <Callout tone="bad">
          <p>
            <strong>It is not saved.</strong> {faultText(save.error)}
          </p>
        </Callout>
      )}
      <FaultSummary
        faults={form.faults}
        texts={ASSISTANT_TEXTS}
        tries={tries}
        onGo={(path) => {
          show(groupOf(path).id);
          focusField(path);
        }}
      />
      <FormProvider
        value={{
          schema,
          value: form.value,
          faults: form.faults,
          texts: ASSISTANT_TEXTS,
          widgets: ASSISTANT_WIDGETS,
          set: form.set,
        }}
      >
        <KnownVariables.Provider value={variables}>
          <form
            class="editor"
            noValidate
            onSubmit={(event) => event.preventDefault()}
            onFocusOut={({ target }) => {
              const path = pathOfControl((target as HTMLElement).id);
              if (path !== undefined) form.visit(path);
            }}
          >
            <GroupNavigation
              groups={groups}
              current={group}
              faults={Object.keys(form.faults)}
              changed={changed}
              onShow={show}
            />
            <GroupPanel key={group.id} group={group} />
          </form>
        </KnownVariables.Provider>
      </FormProvider>
      <SaveBar
        changes={changed.length}
        busy={save.busy}
        onSave={trySave}
        onDiscard={() => {
          form.reset();
          setClash([]);
          setTries(0);
          save.forget();
        }}
      />
    </section>
  );
}

/** What the texts of an assistant may hold. */
function variablesOf(value: Values): readonly KnownVariable[] {
  const preset = Object.keys(
    (valueAt(value, 'assistantOverrides.dynamicVariables') ?? {}) as object,
  );
  const nodes = (valueAt(value, 'assistantWorkflow.nodes') ?? []) as readonly {
    readonly variables?: readonly { readonly name: string }[];
  }[];
  const found = nodes.flatMap(({ variables = [] }) => variables.map(({ name }) => name));
  return [
    ...preset.map((name) => ({ name, from: 'Preset of this assistant' })),
    ...[...new Set(found)]
      .filter((name) => name !== '')
      .map((name) => ({ name, from: 'Found out in the workflow' })),
    ...BUILT_IN_VARIABLES,
  ];
}
