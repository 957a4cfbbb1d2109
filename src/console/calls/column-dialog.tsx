import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox } from '../ui/toggle.tsx';
import { COLUMN_NAMES, type ColumnName, USUAL_COLUMNS } from './calls-columns.tsx';

const STORED = 'parley.call-columns';

/** The columns chosen in this browser. */
export function readColumns(): readonly ColumnName[] {
  const stored = localStorage.getItem(STORED);
  if (stored === null) return USUAL_COLUMNS;
  const names = stored.split(',');
  return (Object.keys(COLUMN_NAMES) as ColumnName[]).filter((name) => names.includes(name));
}

interface ColumnDialogProps {
  readonly chosen: readonly ColumnName[];
  readonly onChange: (chosen: readonly ColumnName[]) => void;
  readonly onClose: () => void;
}

/** Chooses the columns of the call list; each choice holds at once, and for this browser. */
export function ColumnDialog({ chosen, onChange, onClose }: ColumnDialogProps) {
  const choose = (next: readonly ColumnName[]): void => {
    localStorage.setItem(STORED, next.join(','));
    onChange(next);
  };
  return (
    <Dialog
      title="Columns"
      shape="narrow"
      onClose={onClose}
      foot={
        <>
          <Button onClick={() => choose(USUAL_COLUMNS)}>Reset</Button>
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div class="stack">
        {(Object.entries(COLUMN_NAMES) as [ColumnName, string][]).map(([name, label]) => (
          <Checkbox
            key={name}
            label={label}
            checked={chosen.includes(name)}
            onChange={(on) =>
              choose(on ? [...chosen, name] : chosen.filter((each) => each !== name))
            }
          />
        ))}
      </div>
    </Dialog>
  );
}
