import { useId, useRef, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { FILE_ENDINGS, TAKEN } from './file-check.ts';

const ACCEPT = FILE_ENDINGS.map((ending) => `.${ending}`).join(',');

/** Accepts files by drag and drop or through a button. */
export function DropZone({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const help = useId();
  // Entering a child element fires leave events for its parent, so count the elements entered.
  const depth = useRef(0);
  const [over, setOver] = useState(false);
  const leave = (): void => {
    depth.current = 0;
    setOver(false);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a drop target; the button does the same
    <div
      class="kb-drop"
      data-over={over || undefined}
      onDragEnter={(event) => {
        if (!hasFiles(event)) return;
        depth.current++;
        setOver(true);
      }}
      onDragLeave={() => {
        if (over && --depth.current <= 0) leave();
      }}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
      }}
      onDrop={(event) => {
        event.preventDefault();
        leave();
        onFiles([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <Icon name="upload" />
      <p>
        <strong>{over ? 'Release to add the files' : 'Drop files here'}</strong>
        <span id={help} class="help">
          {TAKEN}
        </span>
      </p>
      <Button icon="plus" aria-describedby={help} onClick={() => input.current?.click()}>
        Choose files
      </Button>
      <input
        ref={input}
        id="file-input"
        class="visually-hidden"
        type="file"
        aria-label="Files to add"
        tabIndex={-1}
        multiple
        accept={ACCEPT}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // Reset, so that choosing the same file again fires a change event.
          currentTarget.value = '';
        }}
      />
    </div>
  );
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}
