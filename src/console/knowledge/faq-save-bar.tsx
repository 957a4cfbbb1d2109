import { SaveBar } from '../form/save-bar.tsx';
import { Callout } from '../ui/callout.tsx';
import { faultText } from '../ui/fault-text.ts';
import { countChanges, type FaqDraft, faultsOf } from './faq-draft.ts';
import type { FaqEditor } from './use-faq.ts';

interface FaqSaveBarProps {
  readonly editor: FaqEditor;
  readonly draft: FaqDraft;
  /** Called before saving, with whether any row has errors. */
  readonly onChecked: (isFaulty: boolean) => void;
}

/** Shown while there are unsaved changes, with the error if saving failed. */
export function FaqSaveBar({ editor, draft, onChecked }: FaqSaveBarProps) {
  const { save, reload } = editor;
  const submit = (): void => {
    const isFaulty = draft.rows.some((row) => Object.keys(faultsOf(row)).length > 0);
    onChecked(isFaulty);
    if (!isFaulty) void save.run();
  };
  return (
    <>
      <div role="alert">
        {save.error !== undefined && (
          <Callout tone="bad">
            <p>Some changes could not be saved. {faultText(save.error)}</p>
          </Callout>
        )}
      </div>
      <SaveBar
        changes={countChanges(draft)}
        busy={save.busy}
        onSave={submit}
        onDiscard={() => {
          save.forget();
          onChecked(false);
          reload();
        }}
      />
    </>
  );
}
