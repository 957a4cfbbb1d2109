import '../form/form.css';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Calendar, WaitList } from '../../client/api.generated.ts';
import { AssistantsWidget } from '../assistants/reference-widgets.tsx';
import { useApiSchema } from '../form/api-schema.ts';
import { EditorFrame } from '../form/editor-frame.tsx';
import { focusField } from '../form/fault-summary.tsx';
import type { JsonSchema } from '../form/json-schema.ts';
import { savePatch } from '../form/save-patch.ts';
import { SchemaField } from '../form/schema-field.tsx';
import { type Stored, useEditor } from '../form/use-editor.ts';
import { WIDGETS } from '../form/widgets.ts';
import type { PageProps } from '../lazy-page.tsx';
import { navigate } from '../router.ts';
import { may, useClient } from '../session.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Menu } from '../ui/menu.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useLoad } from '../use-load.ts';
import { Appointments } from './appointments.tsx';
import { CALENDARS, type Kind, WAIT_LISTS } from './kinds.ts';
import { WaitingEntries } from './waiting-entries.tsx';

/** One calendar: its appointments and its hours. */
export function CalendarPage({ params: { id } }: PageProps<'id'>) {
  return (
    <BookablePage kind={CALENDARS} id={id}>
      {(calendar) => <Appointments calendar={calendar} />}
    </BookablePage>
  );
}

/** One wait list: who waits, and its settings. */
export function WaitListPage({ params: { id } }: PageProps<'id'>) {
  return (
    <BookablePage kind={WAIT_LISTS} id={id}>
      {(list) => <WaitingEntries listId={list._id} />}
    </BookablePage>
  );
}

interface BookablePageProps<R extends Calendar | WaitList> {
  readonly kind: Kind<R>;
  readonly id: string;
  readonly children: (record: R) => ComponentChildren;
}

function BookablePage<R extends Calendar | WaitList>(props: BookablePageProps<R>) {
  const { kind, id, children } = props;
  const client = useClient();
  const schema = useApiSchema(kind.schema);
  const read = useLoad((signal) => kind.read(client, id, signal), [client, id]);
  const error = read.error ?? schema.error;
  const current = read.data?.record._id === id ? read.data : undefined;
  if (current && schema.data)
    return (
      <Editor key={id} kind={kind} initial={current} schema={schema.data}>
        {children}
      </Editor>
    );
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader title={kind.title} back={{ href: kind.at, name: kind.title }} />
      {error === undefined ? (
        <div class="late">
          <Skeleton lines={6} />
        </div>
      ) : (
        <ErrorState
          title={`The ${kind.noun} could not be loaded`}
          error={error}
          onRetry={() => {
            read.reload();
            schema.reload();
          }}
        />
      )}
    </section>
  );
}

interface EditorProps<R extends Calendar | WaitList> extends Pick<BookablePageProps<R>, 'kind'> {
  readonly initial: Stored<R>;
  readonly schema: JsonSchema;
  readonly children: (record: R) => ComponentChildren;
}

const BOOKING_WIDGETS = { ...WIDGETS, assistants: AssistantsWidget };

function Editor<R extends Calendar | WaitList>({
  kind,
  initial,
  schema,
  children,
}: EditorProps<R>) {
  const client = useClient();
  const [leaving, setLeaving] = useState(false);
  const id = initial.record._id;
  const editor = useEditor<R>({
    schema,
    initial,
    settle: (value) => value,
    save: (base, patch) =>
      savePatch(
        {
          read: () => kind.read(client, id),
          patch: (change, tag) => kind.patch(client, id, change, tag),
        },
        base,
        patch,
      ),
  });
  const { name } = editor.record;
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title={name}
        back={{ href: kind.at, name: kind.title }}
        actions={
          may('builder') && (
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
          )
        }
      />
      {may('reviewer') && children(editor.record)}
      <EditorFrame editor={editor} texts={kind.texts} widgets={BOOKING_WIDGETS} onGo={focusField}>
        <section class="editor-section" aria-label="Settings">
          <h2>Settings</h2>
          <div class="form-grid">
            {kind.fields.map((path) => (
              <SchemaField key={path} path={path} />
            ))}
          </div>
        </section>
      </EditorFrame>
      {leaving && (
        <ConfirmDialog
          title={`Delete “${name}”?`}
          action="Delete"
          onConfirm={async () => {
            await kind.remove(client, id);
            showToast(`“${name}” was deleted.`);
            navigate(kind.at, { replace: true });
          }}
          onClose={() => setLeaving(false)}
        >
          <p>Everything in this {kind.noun} is deleted with it. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
