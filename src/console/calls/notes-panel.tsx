import { useState } from 'preact/hooks';
import type { Call } from '../../client/api.generated.ts';
import { useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { faultText } from '../ui/fault-text.ts';
import { Moment } from '../ui/moment.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { useAction } from '../use-action.ts';
import { useUnsavedGuard } from '../use-leaving-guard.ts';

interface NotesPanelProps {
  readonly call: Call;
  readonly onChanged: () => void;
}

/** What people have written about the call. */
export function NotesPanel({ call, onChanged }: NotesPanelProps) {
  const { id, notes = [] } = call;
  const client = useClient();
  const [text, setText] = useState('');
  useUnsavedGuard(text.trim() !== '');
  const add = useAction(async () => {
    await client.call('addCallNote', { path: { id }, body: { text } });
    setText('');
    onChanged();
  });
  const remove = useAction(
    async (noteId: string) => {
      await client.call('deleteCallNote', { path: { id, noteId } });
      onChanged();
    },
    { done: 'The note is deleted.' },
  );
  const fault = add.error ?? remove.error;
  return (
    <div class="stack">
      {notes.length > 0 && (
        <ul class="notes" aria-label="Notes">
          {notes.map((note) => (
            <li key={note.id}>
              <p class="note-head">
                <strong>{note.by}</strong> <Moment at={note.createdAt} />
                <Button
                  kind="quiet"
                  icon="trash"
                  small
                  busy={remove.busy}
                  aria-label={`Delete the note of ${note.by}`}
                  onClick={() => remove.run(note.id)}
                />
              </p>
              <p class="note-text">{note.text}</p>
            </li>
          ))}
        </ul>
      )}
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void add.run();
        }}
      >
        <TextArea
          id="new-note"
          label="New note"
          help="Visible to everyone in the team with access to calls. Deleted with the call."
          value={text}
          onChange={setText}
          maxLength={2000}
          {...(fault === undefined ? {} : { error: faultText(fault) })}
        />
        <div>
          <Button type="submit" busy={add.busy} disabled={text.trim() === ''}>
            Add note
          </Button>
        </div>
      </form>
    </div>
  );
}
