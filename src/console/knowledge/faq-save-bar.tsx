import { Button } from '../ui/button.tsx';
import { faultText } from '../ui/fault-text.ts';
import { countChanges, type FaqDraft, faultsOf } from './faq-draft.ts';
import type { FaqDesk } from './use-faq.ts';

interface FaqSaveBarProps {
  readonly desk: FaqDesk;
  readonly draft: FaqDraft;
  /** Told before saving whether something is wrong with a line. */
  readonly onChecked: (isFaulty: boolean) => void;
}

/** Stands in sight as long as something is not saved. */
export function FaqSaveBar({ desk, draft, onChecked }: FaqSaveBarProps) {
  const { save, reload } = desk;
  const count = countChanges(draft);
  const faulty = draft.rows.filter((row) => Object.keys(faultsOf(row)).length > 0).length;
  const submit = (): void => {
    onChecked(faulty > 0);
    if (faulty === 0) void save.run();
  };
  if (count === 0 && save.error === undefined) return null;
  return (
    <section class="faq-save" aria-label="Not saved">
      <div>
        <p>
          <strong>{count === 1 ? '1 change' : `${count} changes`}</strong>{' '}
          <span class="soft">not saved</span>
        </p>
        <p class="field-fault" role="alert">
          {save.error === undefined ? '' : faultText(save.error)}
        </p>
      </div>
      <div class="row">
        <Button
          kind="quiet"
          disabled={save.busy}
          onClick={() => {
            save.forget();
            onChecked(false);
            reload();
          }}
        >
          Discard
        </Button>
        <Button id="save-faq" kind="primary" busy={save.busy} onClick={submit}>
          Save
        </Button>
      </div>
    </section>
  );
}
