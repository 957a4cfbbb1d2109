import './tools.css';
import '../form/form.css';
import { useEffect, useState } from 'preact/hooks';
import type { ToolInput } from '../../client/api.generated.ts';
import { useApiSchema } from '../form/api-schema.ts';
import { BUILT_IN_VARIABLES } from '../form/built-in-variables.ts';
import { EditorFrame } from '../form/editor-frame.tsx';
import { focusField } from '../form/fault-summary.tsx';
import { blankOf, type JsonSchema } from '../form/json-schema.ts';
import { mergePatch } from '../form/merge-diff.ts';
import { useEditor } from '../form/use-editor.ts';
import type { Values } from '../form/value-path.ts';
import { KnownVariables } from '../form/variables.ts';
import { navigate } from '../router.ts';
import { useClient } from '../session.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { TOOL_TEXTS } from './field-texts.ts';
import { ToolFields } from './tool-fields.tsx';
import { TOOL_WIDGETS } from './tool-widgets.ts';

/** Page for creating a tool. */
export function NewToolPage() {
  const schema = useApiSchema('ToolInput');
  return (
    <section class="page tool-page" aria-labelledby="page-title">
      <PageHeader
        title="New tool"
        lead="A function on your server that assistants may call, or a server with several."
        back={{ href: '/tools', name: 'Tools' }}
      />
      {schema.data && <NewToolForm schema={schema.data} />}
      {schema.error !== undefined && (
        <ErrorState
          title="The fields of a tool could not be loaded"
          error={schema.error}
          onRetry={schema.reload}
        />
      )}
      {!schema.data && schema.error === undefined && (
        <div class="late">
          <Skeleton lines={6} />
        </div>
      )}
    </section>
  );
}

function NewToolForm({ schema }: { readonly schema: JsonSchema }) {
  const client = useClient();
  const [made, setMade] = useState<string>();
  const editor = useEditor<undefined>({
    schema,
    initial: { record: undefined, config: blankOf(schema) as Values, tag: '' },
    settle: (value) => value,
    save: async ({ record, config: blank, tag }, patch) => {
      const config = mergePatch(blank, patch) as Values;
      const tool = await client.call('createTool', { body: config as unknown as ToolInput });
      setMade(tool._id);
      return { kind: 'saved', stored: { record, config, tag } };
    },
  });
  const unsaved = editor.changed.length;
  useEffect(() => {
    if (made !== undefined && unsaved === 0) navigate(`/tools/${made}`, { replace: true });
  }, [made, unsaved]);
  return (
    <EditorFrame
      editor={editor}
      texts={TOOL_TEXTS}
      widgets={TOOL_WIDGETS}
      create="Create tool"
      onGo={focusField}
    >
      <KnownVariables.Provider value={BUILT_IN_VARIABLES}>
        <ToolFields />
      </KnownVariables.Provider>
    </EditorFrame>
  );
}
