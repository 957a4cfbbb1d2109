import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { leaveIfRefused } from '../session.ts';
import { Button } from './button.tsx';
import { faultText } from './fault-text.ts';

interface ConfirmDialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** What the button that does it says. */
  readonly action: string;
  /** What the safe way out says. @defaultValue Cancel */
  readonly cancel?: string;
  /** Does it; what it rejects with is shown, and the dialog stays. */
  readonly onConfirm: () => Promise<void> | void;
  readonly onClose: () => void;
}

/** Asks before something that cannot be undone. The safe way out has the focus first. */
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
