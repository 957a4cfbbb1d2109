import type { ComponentChildren } from 'preact';
import { Callout } from '../ui/callout.tsx';
import { faultText } from '../ui/fault-text.ts';
import { FaultSummary } from './fault-summary.tsx';
import { type FieldTexts, pathLabel } from './field-text.ts';
import { FormProvider, pathOfControl, type Widget } from './form-scope.ts';
import { type SaveAside, SaveBar } from './save-bar.tsx';
import type { Editor } from './use-editor.ts';

interface EditorFrameProps {
  readonly editor: Editor<unknown>;
  readonly texts: FieldTexts;
  readonly widgets: Readonly<Record<string, Widget>>;
  /** Brings a field into view. */
  readonly onGo: (path: string) => void;
  /** For a new resource: label of the button that creates it. The button is then always shown. */
  readonly create?: string;
  /** Another way to save. */
  readonly aside?: SaveAside;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Frame of a form: errors above the fields, unsaved changes below. */
export function EditorFrame(props: EditorFrameProps) {
  const { editor, texts, widgets, onGo, create, children } = props;
  const { form, faults, clash, saving, tries, changed, schema } = editor;
  const placed = Object.keys(faults).some((path) => path !== '');
  return (
    <>
      {clash.length > 0 && (
        <Callout tone="warn">
          <p role="alert">
            <strong>Someone else has changed the same fields:</strong>{' '}
            {clash.map((path) => pathLabel(texts, path)).join('; ')}. Nothing was saved. Save again
            to overwrite their changes, or discard yours to see theirs.
          </p>
        </Callout>
      )}
      {saving.error !== undefined && clash.length === 0 && !placed && (
        <Callout tone="bad">
          <p role="alert">
            <strong>Not saved.</strong> {faultText(saving.error)}
          </p>
        </Callout>
      )}
      {placed && <FaultSummary faults={faults} texts={texts} tries={tries} onGo={onGo} />}
      <FormProvider value={{ schema, value: form.value, faults, texts, widgets, set: form.set }}>
        <form
          class={props.class}
          noValidate
          onSubmit={(event) => event.preventDefault()}
          onFocusOut={({ target }) => {
            const path = pathOfControl((target as HTMLElement).id);
            if (path !== undefined) form.visit(path);
          }}
        >
          {children}
        </form>
      </FormProvider>
      <SaveBar
        changes={changed.length}
        busy={saving.busy}
        create={create}
        aside={props.aside}
        onSave={editor.save}
        onDiscard={editor.discard}
      />
    </>
  );
}
