import { useEffect } from 'preact/hooks';
import { Button } from '../ui/button.tsx';

interface SaveBarProps {
  /** How many fields differ from what is stored; none: the bar is not there. */
  readonly changes: number;
  readonly busy: boolean;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
}

/** Stays in view while something is unsaved. Ctrl or ⌘ and S save, too. */
export function SaveBar({ changes, busy, onSave, onDiscard }: SaveBarProps) {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (changes > 0 && !busy) onSave();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
  return (
    <section class="save-bar" aria-label="Unsaved changes" hidden={changes === 0}>
      <p role="status">{changes === 1 ? '1 unsaved change' : `${changes} unsaved changes`}</p>
      <Button kind="quiet" disabled={busy} onClick={onDiscard}>
        Discard
      </Button>
      <Button kind="primary" busy={busy} onClick={onSave}>
        Save
      </Button>
    </section>
  );
}
