import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Buttons; the primary one is last. */
  readonly foot?: ComponentChildren;
  /** Called on Escape, the close button, or a click outside; the parent must then stop rendering the dialog. */
  readonly onClose: () => void;
  /** A drawer slides in from the side, for content that needs room beside the page. @defaultValue normal */
  readonly shape?: 'narrow' | 'normal' | 'wide' | 'drawer';
}

/** A modal dialog; it is open as long as it is rendered. */
export function Dialog({ title, children, foot, onClose, shape = 'normal' }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Close it before it is removed; otherwise the focus does not return.
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it
    <dialog
      ref={dialog}
      class={`dialog ${shape}`}
      aria-labelledby={`${id}-title`}
      onCancel={(event) => {
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div class="dialog-head">
        <h2 id={`${id}-title`}>{title}</h2>
        <Button kind="quiet" icon="close" small aria-label="Close" onClick={onClose} />
      </div>
      <div class="dialog-body">{children}</div>
      {foot && <div class="dialog-foot">{foot}</div>}
    </dialog>
  );
}
