import { useEffect } from 'preact/hooks';
import { Button } from '../ui/button.tsx';

interface SaveBarProps {
  /** How many fields differ from what is stored; none: the bar is not there. */
  readonly changes: number;
  readonly busy: boolean;
  /** It is new: the bar is always there, and its button says this. */
  readonly create?: string | undefined;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
}

/** Stays in view while something is unsaved. Ctrl or ⌘ and S save, too. */
export function SaveBar({ changes, busy, create, onSave, onDiscard }: SaveBarProps) {
  const shown = changes > 0 || create !== undefined;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (shown && !busy) onSave();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
  return (
    <section class="save-bar" aria-label="Unsaved changes" hidden={!shown}>
      <p role="status">
        {create === undefined &&
          (changes === 1 ? '1 unsaved change' : `${changes} unsaved changes`)}
      </p>
      {changes > 0 && create === undefined && (
        <Button kind="quiet" disabled={busy} onClick={onDiscard}>
          Discard
        </Button>
      )}
      <Button kind="primary" busy={busy} onClick={onSave}>
        {create ?? 'Save'}
      </Button>
    </section>
  );
}
