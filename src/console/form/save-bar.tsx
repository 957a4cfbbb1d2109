import { useEffect } from 'preact/hooks';
import { Button } from '../ui/button.tsx';

export interface SaveAside {
  readonly label: string;
  readonly busy: boolean;
  readonly onSave: () => void;
}

interface SaveBarProps {
  /** Number of fields that differ from the stored version; the bar is hidden at 0. */
  readonly changes: number;
  readonly busy: boolean;
  /** For a new resource: the bar is always shown, and its button has this label. */
  readonly create?: string | undefined;
  /** Another way to save. */
  readonly aside?: SaveAside | undefined;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
}

/** Stays visible while there are unsaved changes. Ctrl+S or ⌘S saves too. */
export function SaveBar({ changes, busy, create, aside, onSave, onDiscard }: SaveBarProps) {
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
      {aside && changes > 0 && (
        <Button busy={aside.busy} disabled={busy} onClick={aside.onSave}>
          {aside.label}
        </Button>
      )}
      <Button kind="primary" busy={busy} onClick={onSave}>
        {create ?? 'Save'}
      </Button>
    </section>
  );
}
