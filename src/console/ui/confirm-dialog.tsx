import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { leaveIfRefused } from '../session.ts';
import { faultText } from './fault-text.ts';

interface ConfirmDialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** What the button that does it says. */
  readonly action: string;
  /** Does it; what it rejects with is shown, and the dialog stays. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before something that cannot be undone. The safe way out has the focus first. */
export function ConfirmDialog({ title, children, action, onConfirm, onClose }: ConfirmDialogProps) {
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
      class="confirm"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={onClose}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <div id={`${id}-text`}>{children}</div>
      <p class="fault" role="alert">
        {fault}
      </p>
      <div class="buttons">
        <button type="button" class="secondary" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button type="button" class="danger" disabled={busy} onClick={confirm}>
          {action}
        </button>
      </div>
    </dialog>
  );
}
