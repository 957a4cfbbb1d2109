import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { type FieldFaults, fieldFaults } from '../field-faults.ts';
import { useAction } from '../use-action.ts';
import { Button } from './button.tsx';
import { Callout } from './callout.tsx';
import { Dialog } from './dialog.tsx';
import { faultText } from './fault-text.ts';

interface FormDialogProps {
  readonly title: string;
  /** Label of the submit button. */
  readonly action: string;
  /** Toast shown on success. */
  readonly done?: string;
  /** Validates before the service is asked. */
  readonly check?: () => FieldFaults;
  /** Submits; the dialog closes on success. Errors from the service are shown at their fields. */
  readonly onSubmit: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly shape?: 'narrow' | 'normal' | 'wide' | 'drawer';
  /** Renders the fields with their errors. */
  readonly children: (faults: FieldFaults) => ComponentChildren;
}

const NO_FAULTS: FieldFaults = {};

/** A form in a dialog: validates, submits, and closes on success. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, done, check, onSubmit, onClose, shape, children } = props;
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [early, setEarly] = useState(NO_FAULTS);
  const submit = useAction(onSubmit, done === undefined ? {} : { done });
  const refused = submit.error === undefined ? NO_FAULTS : fieldFaults(submit.error);
  const faults = { ...refused, ...early };

  const send = async (): Promise<void> => {
    const found = check?.() ?? NO_FAULTS;
    setEarly(found);
    submit.forget();
    if (Object.keys(found).length === 0 && (await submit.run())) {
      onClose();
      return;
    }
    // By then the errors are rendered.
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
    );
  };

  const whole = wholeFault(submit.error, refused);
  return (
    <Dialog
      title={title}
      onClose={() => submit.busy || onClose()}
      {...(shape ? { shape } : {})}
      foot={
        <>
          <Button onClick={onClose} disabled={submit.busy}>
            Cancel
          </Button>
          <Button type="submit" form={id} kind="primary" busy={submit.busy}>
            {action}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        id={id}
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {children(faults)}
      </form>
      <div role="alert">{whole && <Callout tone="bad">{whole}</Callout>}</div>
    </Dialog>
  );
}

/** The message of an error that belongs to no field. */
function wholeFault(error: unknown, faults: FieldFaults): string | undefined {
  if (error === undefined) return undefined;
  return Object.keys(faults).length === 0 ? faultText(error) : faults[''];
}
