import './faq.css';
import { useId, useRef, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import {
  addRows,
  editRow,
  type FaqDraft,
  matchingRows,
  removeRow,
  restoreRow,
} from './faq-draft.ts';
import { FaqFileButtons } from './faq-file-buttons.tsx';
import { FaqSaveBar } from './faq-save-bar.tsx';
import { FaqTableRow } from './faq-table-row.tsx';
import type { FaqEditor } from './use-faq.ts';

const SHOWN_AT_FIRST = 50;
/** From this number on, a search field is shown. */
const MANY = 8;

interface FaqPanelProps {
  readonly editor: FaqEditor;
  /** Used in the name of the exported file. */
  readonly title: string;
}

/** Editable table of questions and answers. */
export function FaqPanel({ editor, title }: FaqPanelProps) {
  const { draft, error, reload } = editor;
  if (draft) return <FaqTable editor={editor} draft={draft} title={title} />;
  if (error === undefined)
    return (
      <div class="late">
        <Skeleton lines={5} />
      </div>
    );
  return <ErrorState title="The questions could not be loaded" error={error} onRetry={reload} />;
}

function FaqTable({ editor, draft, title }: FaqPanelProps & { readonly draft: FaqDraft }) {
  const { edit } = editor;
  const [wanted, setWanted] = useState('');
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  const [checked, setChecked] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const categories = useId();
  const rows = matchingRows(draft.rows, wanted);
  const focusSoon = (selector: string): void => {
    requestAnimationFrame(() => panel.current?.querySelector<HTMLElement>(selector)?.focus());
  };
  const add = (): void => {
    setWanted('');
    edit((now) => addRows(now));
    focusSoon(`[data-key="new-${draft.made}"] textarea`);
  };
  const files = <FaqFileButtons draft={draft} edit={edit} title={title} />;
  if (draft.rows.length === 0)
    return (
      <div ref={panel}>
        <EmptyState
          icon="knowledge"
          title="What do callers ask?"
          action={
            <>
              <Button kind="primary" icon="plus" onClick={add}>
                Add a question
              </Button>
              {files}
            </>
          }
        >
          Write each question as callers ask it, and the answer as the assistant should give it. Or
          import a CSV file with the columns question and answer.
        </EmptyState>
      </div>
    );
  return (
    <div ref={panel} class="stack">
      <div class="faq-head">
        {draft.rows.length >= MANY && (
          <SearchField
            label="Find a question"
            placeholder="Question, answer or category"
            value={wanted}
            onChange={(text) => {
              setWanted(text);
              setShown(SHOWN_AT_FIRST);
            }}
          />
        )}
        <div class="row faq-buttons">
          {files}
          <Button icon="plus" onClick={add}>
            Add a question
          </Button>
        </div>
      </div>
      <datalist id={categories}>
        {[...new Set(draft.rows.map(({ category }) => category))].filter(Boolean).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <table id="faq" class="table faq" aria-label="Questions and answers">
        <thead>
          <tr>
            <th scope="col">Question</th>
            <th scope="col">Answer</th>
            <th scope="col">Category</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map((row) => (
            <FaqTableRow
              key={row.key}
              row={row}
              checked={checked}
              categories={categories}
              onEdit={(changes) => edit((now) => editRow(now, row.key, changes))}
              onRemove={() => {
                edit((now) => removeRow(now, row.key));
                focusSoon('.faq-buttons > .button:last-child');
              }}
              onRestore={() => edit((now) => restoreRow(now, row.key))}
            />
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p class="soft">No question matches “{wanted}”.</p>}
      {rows.length > shown && (
        <div class="table-more">
          <Button onClick={() => setShown(shown + SHOWN_AT_FIRST)}>
            Show more of {rows.length}
          </Button>
        </div>
      )}
      <FaqSaveBar
        editor={editor}
        draft={draft}
        onChecked={(isFaulty) => {
          setChecked(isFaulty);
          if (!isFaulty) return;
          setWanted('');
          setShown(draft.rows.length);
          focusSoon('[aria-invalid="true"]');
        }}
      />
    </div>
  );
}
