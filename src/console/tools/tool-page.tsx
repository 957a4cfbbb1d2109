import './tools.css';
import '../form/form.css';
import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Tool } from '../../client/api.generated.ts';
import { useApiSchema } from '../form/api-schema.ts';
import { BUILT_IN_VARIABLES } from '../form/built-in-variables.ts';
import { EditorFrame } from '../form/editor-frame.tsx';
import { focusField } from '../form/fault-summary.tsx';
import type { JsonSchema } from '../form/json-schema.ts';
import { savePatch } from '../form/save-patch.ts';
import { type Stored, useEditor } from '../form/use-editor.ts';
import { KnownVariables } from '../form/variables.ts';
import type { PageProps } from '../lazy-page.tsx';
import { navigate, useQuery } from '../router.ts';
import { useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Menu } from '../ui/menu.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useLoad } from '../use-load.ts';
import { DeleteTool } from './delete-tool.tsx';
import { TOOL_TEXTS } from './field-texts.ts';
import { readTool, toolResource } from './save-tool.ts';
import { ServerTools, useServerTools } from './server-tools.tsx';
import { ToolFields } from './tool-fields.tsx';
import { ToolTrial } from './tool-trial.tsx';
import { loadToolUsers, type ToolUser } from './tool-usage.ts';
import { TOOL_WIDGETS } from './tool-widgets.ts';

/** Page of one tool: settings, the assistants that use it, and a test call. */
export function ToolPage({ params }: PageProps<'id'>) {
  const client = useClient();
  const schema = useApiSchema('ToolInput');
  const read = useLoad((signal) => readTool(client, params.id, signal), [client, params.id]);
  const users = useLoad((signal) => loadToolUsers(client, params.id, signal), [client, params.id]);
  const error = read.error ?? schema.error ?? users.error;
  const current = read.data?.record._id === params.id ? read.data : undefined;
  if (current && schema.data && users.data) {
    return <ToolEditor key={params.id} initial={current} schema={schema.data} users={users.data} />;
  }
  return (
    <section class="page tool-page" aria-labelledby="page-title">
      <PageHeader title="Tool" back={{ href: '/tools', name: 'Tools' }} />
      {error === undefined ? (
        <div class="late">
          <Skeleton lines={6} />
        </div>
      ) : (
        <ErrorState
          title="The tool could not be loaded"
          error={error}
          onRetry={() => {
            read.reload();
            schema.reload();
            users.reload();
          }}
        />
      )}
    </section>
  );
}

interface ToolEditorProps {
  readonly initial: Stored<Tool>;
  readonly schema: JsonSchema;
  readonly users: readonly ToolUser[];
}

function ToolEditor({ initial, schema, users }: ToolEditorProps) {
  const client = useClient();
  const [query] = useQuery();
  const [leaving, setLeaving] = useState(false);
  const resource = toolResource(client, initial.record._id);
  const editor = useEditor({
    schema,
    initial,
    settle: (value) => value,
    save: (base, patch) => savePatch(resource, base, patch),
  });
  const tool = editor.record;
  const listed = useServerTools(tool);
  const { name } = tool.function;
  const test = (): void => {
    document.getElementById('tool-trial-title')?.scrollIntoView();
    document.getElementById('tool-trial-arguments')?.focus();
  };
  useEffect(() => {
    if (query.get('test') === 'yes') test();
  }, []);
  return (
    <section class="page tool-page" aria-labelledby="page-title">
      <PageHeader
        title={name}
        back={{ href: '/tools', name: 'Tools' }}
        lead={<UsedBy users={users} />}
        actions={
          <>
            <Menu
              label={`Actions for “${name}”`}
              items={[
                {
                  value: 'delete',
                  label: 'Delete …',
                  icon: 'trash',
                  danger: true,
                  onSelect: () => setLeaving(true),
                },
              ]}
            />
            <Button icon="play" onClick={test}>
              Test it
            </Button>
          </>
        }
      />
      <EditorFrame editor={editor} texts={TOOL_TEXTS} widgets={TOOL_WIDGETS} onGo={focusField}>
        <KnownVariables.Provider value={BUILT_IN_VARIABLES}>
          <ServerTools.Provider value={listed}>
            <ToolFields type={tool.type} />
          </ServerTools.Provider>
        </KnownVariables.Provider>
      </EditorFrame>
      <ToolTrial
        key={tool.updatedAt}
        tool={tool}
        offered={listed?.data ?? []}
        dirty={editor.changed.length > 0}
      />
      {leaving && (
        <DeleteTool
          tool={tool}
          onDeleted={() => {
            showToast(`“${name}” was deleted.`);
            navigate('/tools', { replace: true });
          }}
          onClose={() => setLeaving(false)}
        />
      )}
    </section>
  );
}

function UsedBy({ users }: { readonly users: readonly ToolUser[] }) {
  if (users.length === 0)
    return <>No assistant uses it yet. Add it to an assistant on the assistant’s page.</>;
  return (
    <>
      Used by{' '}
      {users.map(({ _id, name }, index) => (
        <span key={_id}>
          {index > 0 && ', '}
          <Link href={`/assistants/${_id}?part=tools`}>{name}</Link>
        </span>
      ))}
    </>
  );
}
