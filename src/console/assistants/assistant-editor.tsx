import { useMemo } from 'preact/hooks';
import type { Assistant, AssistantPatch } from '../../client/api.generated.ts';
import { BUILT_IN_VARIABLES, type KnownVariable } from '../form/built-in-variables.ts';
import { EditorFrame } from '../form/editor-frame.tsx';
import { focusField } from '../form/fault-summary.tsx';
import type { JsonSchema } from '../form/json-schema.ts';
import { savePatch } from '../form/save-patch.ts';
import { SchemaField } from '../form/schema-field.tsx';
import { type Stored, useEditor } from '../form/use-editor.ts';
import { type Values, valueAt } from '../form/value-path.ts';
import { KnownVariables } from '../form/variables.ts';
import { WIDGETS } from '../form/widgets.ts';
import { lazyPart } from '../lazy-page.tsx';
import { useQuery } from '../router.ts';
import { may, useClient } from '../session.ts';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../use-action.ts';
import { AssistantHeader } from './assistant-header.tsx';
import { ASSISTANT_TEXTS } from './field-texts.ts';
import { GroupNavigation } from './group-navigation.tsx';
import { ASSISTANT_GROUPS, type FieldGroup, groupOf } from './groups.ts';
import { KnowledgeBasesWidget, ToolsWidget } from './reference-widgets.tsx';
import { assistantResource } from './save-assistant.ts';
import { settleAssistant } from './settle.ts';
import { SoundWidget } from './sound-widget.tsx';
import { VendorWidget } from './vendor-widget.tsx';
import { VoiceWidget } from './voice-widget.tsx';
import { StepIdWidget, StepWidget, WorkflowWidget } from './workflow/workflow-widget.tsx';

const TryPanel = lazyPart(async () => (await import('./try-panel.tsx')).TryPanel);

const ASSISTANT_WIDGETS = {
  ...WIDGETS,
  tools: ToolsWidget,
  'knowledge-bases': KnowledgeBasesWidget,
  sound: SoundWidget,
  vendor: VendorWidget,
  voice: VoiceWidget,
  workflow: WorkflowWidget,
  step: StepWidget,
  'step-id': StepIdWidget,
};

interface AssistantEditorProps {
  readonly initial: Stored<Assistant>;
  readonly schema: JsonSchema;
}

/** Editor for every field of an assistant, group by group; saves only the fields that changed. */
export function AssistantEditor({ initial, schema }: AssistantEditorProps) {
  const client = useClient();
  const [query, change] = useQuery();
  const resource = assistantResource(client, initial.record._id);
  const editor = useEditor({
    schema,
    initial,
    settle: settleAssistant,
    save: (base, patch) => savePatch(resource, base, patch),
  });
  const { value } = editor.form;
  const draft = useAction(async () => {
    try {
      const { version } = await client.call('createAssistantDraft', {
        path: { id: initial.record._id },
        body: { changes: editor.form.patch as AssistantPatch },
      });
      showToast(`Version ${version} is a draft: publish it under Versions.`);
      editor.discard();
    } catch (error) {
      editor.refuse(error);
      throw error;
    }
  });
  const trying = may('builder') && query.get('try') !== null;
  const groups = ASSISTANT_GROUPS.filter(({ when }) => when?.(value) ?? true);
  const group = groups.find(({ id }) => id === query.get('part')) ?? ASSISTANT_GROUPS[0];
  const show = (id: string): void =>
    change({ part: id === ASSISTANT_GROUPS[0].id ? undefined : id });
  const variables = useMemo(() => variablesOf(value), [value]);

  return (
    <section class="page" aria-labelledby="page-title">
      <AssistantHeader
        assistant={editor.record}
        dirty={editor.changed.length > 0}
        trying={trying}
        onTry={() => change({ try: trying ? undefined : 'yes' })}
      />
      <div class={trying ? 'with-try' : undefined}>
        <div>
          <KnownVariables.Provider value={variables}>
            <EditorFrame
              editor={editor}
              texts={ASSISTANT_TEXTS}
              widgets={ASSISTANT_WIDGETS}
              class="editor"
              aside={{
                label: 'Save as draft',
                busy: draft.busy,
                onSave: () => editor.check() && void draft.run(),
              }}
              onGo={(path) => {
                show(groupOf(path).id);
                focusField(path);
              }}
            >
              <GroupNavigation
                groups={groups}
                current={group}
                faults={Object.keys(editor.faults)}
                changed={editor.changed}
                onShow={show}
              />
              <GroupPanel key={group.id} group={group} />
            </EditorFrame>
          </KnownVariables.Provider>
        </div>
        {trying && (
          <TryPanel
            draft={settleAssistant(value)}
            check={editor.check}
            template={query.get('try')}
            onClose={() => change({ try: undefined })}
          />
        )}
      </div>
    </section>
  );
}

/** Variables that the texts of this assistant may use. */
function variablesOf(value: Values): readonly KnownVariable[] {
  const preset = Object.keys(
    (valueAt(value, 'assistantOverrides.dynamicVariables') ?? {}) as object,
  );
  const nodes = (valueAt(value, 'assistantWorkflow.nodes') ?? []) as readonly {
    readonly variables?: readonly { readonly name: string }[];
  }[];
  const found = nodes.flatMap(({ variables = [] }) => variables.map(({ name }) => name));
  return [
    ...preset.map((name) => ({ name, from: 'Preset in this assistant' })),
    ...[...new Set(found)]
      .filter((name) => name !== '')
      .map((name) => ({ name, from: 'Collected in the workflow' })),
    ...BUILT_IN_VARIABLES,
  ];
}

function GroupPanel({ group }: { readonly group: FieldGroup }) {
  return (
    <section class="editor-panel" aria-labelledby={`group-${group.id}`}>
      <header>
        <h2 id={`group-${group.id}`}>{group.title}</h2>
        <p class="soft">{group.lead}</p>
      </header>
      {group.sections.map(({ title, paths }) => (
        <section key={paths[0]} class="editor-section" aria-label={title}>
          {title && <h3 class="editor-section-title">{title}</h3>}
          <div class="form-grid">
            {paths.map((path) => (
              <SchemaField key={path} path={path} />
            ))}
          </div>
        </section>
      ))}
    </section>
  );
}
