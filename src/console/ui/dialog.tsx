import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Buttons, the primary one last. */
  readonly foot?: ComponentChildren;
  /** Escape, the cross, or a press beside it; the parent then takes it away. */
  readonly onClose: () => void;
  /** @defaultValue normal; a drawer comes from the side, for what needs room beside the page */
  readonly shape?: 'narrow' | 'normal' | 'wide' | 'drawer';
}

/** Asks or shows something over the page, which rests meanwhile. It is open as long as it is rendered. */
export function Dialog({ title, children, foot, onClose, shape = 'normal' }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Closed before it is taken away: only then does the focus go back.
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
