import { useId } from 'preact/hooks';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { type FaqFields, type FaqRow, faultsOf, isEdited, MAX_CHARS } from './faq-draft.ts';

interface FaqTableRowProps {
  readonly row: FaqRow;
  /** Show the row's errors, because the user tried to save. */
  readonly checked: boolean;
  /** Id of the datalist of existing categories. */
  readonly categories: string;
  readonly onEdit: (changes: Partial<FaqFields>) => void;
  readonly onRemove: () => void;
  readonly onRestore: () => void;
}

/** A question with its answer, edited in place. */
export function FaqTableRow(props: FaqTableRowProps) {
  const { row, checked, categories, onEdit, onRemove, onRestore } = props;
  const faults = checked ? faultsOf(row) : {};
  const name = row.question.trim() || 'the new question';
  if (row.removed)
    return (
      <tr class="faq-row" data-state="removed">
        <th scope="row" colSpan={2}>
          <s>{row.question}</s> <Badge tone="bad">Removed when you save</Badge>
        </th>
        <td colSpan={2} class="end">
          <Button small onClick={onRestore} aria-label={`Restore ${name}`}>
            Restore
          </Button>
        </td>
      </tr>
    );
  const locked = row.saved?.updatable === false && !row.updatable;
  const cell = { row, locked, faults, onEdit };
  return (
    <tr class="faq-row" data-state={stateOf(row)} data-key={row.key}>
      <th scope="row" data-label="Question">
        <FaqCell {...cell} field="question" label={`Question: ${name}`} />
        {locked && <Badge>Locked</Badge>}
      </th>
      <td data-label="Answer">
        <FaqCell {...cell} field="answer" label={`Answer to ${name}`} />
      </td>
      <td data-label="Category">
        <input
          class="input faq-cell"
          list={categories}
          aria-label={`Category of ${name}`}
          value={row.category}
          maxLength={MAX_CHARS.category}
          readOnly={locked}
          placeholder="None"
          autocomplete="off"
          onInput={({ currentTarget }) => onEdit({ category: currentTarget.value })}
        />
      </td>
      <td class="end faq-actions">
        <Menu
          label={`Actions for ${name}`}
          items={[
            locked || !row.updatable
              ? {
                  value: 'unlock',
                  label: 'Unlock',
                  icon: 'edit',
                  onSelect: () => onEdit({ updatable: true }),
                }
              : {
                  value: 'lock',
                  label: 'Lock against changes',
                  icon: 'check',
                  onSelect: () => onEdit({ updatable: false }),
                },
            {
              value: 'remove',
              label: 'Remove',
              icon: 'trash',
              danger: true,
              onSelect: onRemove,
            },
          ]}
        />
      </td>
    </tr>
  );
}

interface FaqCellProps {
  readonly row: FaqRow;
  readonly field: 'question' | 'answer';
  readonly label: string;
  readonly locked: boolean;
  readonly faults: ReturnType<typeof faultsOf>;
  readonly onEdit: (changes: Partial<FaqFields>) => void;
}

function FaqCell({ row, field, label, locked, faults, onEdit }: FaqCellProps) {
  const id = useId();
  const fault = faults[field];
  return (
    <>
      <textarea
        class="input faq-cell"
        aria-label={label}
        aria-invalid={fault ? 'true' : undefined}
        aria-describedby={fault ? id : undefined}
        rows={1}
        value={row[field]}
        maxLength={MAX_CHARS[field]}
        readOnly={locked}
        placeholder={field === 'question' ? 'What does a caller ask?' : 'What is the answer?'}
        onInput={({ currentTarget }) => onEdit({ [field]: currentTarget.value })}
      />
      {fault && (
        <p id={id} class="field-fault">
          {fault}
        </p>
      )}
    </>
  );
}

function stateOf(row: FaqRow): 'new' | 'edited' | undefined {
  if (row.saved === undefined) return 'new';
  return isEdited(row) ? 'edited' : undefined;
}
