import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { leaveIfRefused } from '../session.ts';
import { Button } from './button.tsx';
import { faultText } from './fault-text.ts';

interface ConfirmDialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Label of the button that confirms. */
  readonly action: string;
  /** Label of the button that cancels. @defaultValue Cancel */
  readonly cancel?: string;
  /** Performs the action; if it rejects, the dialog stays open and shows the error. */
  readonly onConfirm: () => Promise<void> | void;
  readonly onClose: () => void;
}

/** Asks for confirmation of an irreversible action. The cancel button has the initial focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, cancel = 'Cancel', onConfirm, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const busy = useSignal(false);
  const fault = useSignal('');
  useEffect(() => dialog.current?.showModal(), []);

  const confirm = async (): Promise<void> => {
    busy.value = true;
    fault.value = '';
    try {
      await onConfirm();
      dialog.current?.close();
    } catch (error) {
      leaveIfRefused(error);
      fault.value = faultText(error);
    } finally {
      busy.value = false;
    }
  };

  return (
    <dialog
      ref={dialog}
      class="dialog narrow"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={onClose}
    >
      <div class="dialog-head">
        <h2 id={`${id}-title`}>{title}</h2>
      </div>
      <div id={`${id}-text`} class="dialog-body">
        {children}
        <p class="field-fault" role="alert">
          {fault}
        </p>
      </div>
      <div class="dialog-foot">
        <Button onClick={() => dialog.current?.close()}>{cancel}</Button>
        <Button kind="danger" busy={busy.value} onClick={confirm}>
          {action}
        </Button>
      </div>
    </dialog>
  );
}
