import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { FieldFaults } from '../field-faults.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/text-field.tsx';

interface ProofDialogProps {
  readonly title: string;
  readonly action: string;
  readonly done?: string;
  /** The present password is asked for, since a session that somebody found open changes nothing by itself. */
  readonly hasPassword: boolean;
  /** What the request calls that password. */
  readonly field: 'current' | 'password';
  readonly check?: () => FieldFaults;
  /** Gets the present password, if there is one, under the name `field`. */
  readonly onSubmit: (proof: Readonly<Record<string, string>>) => Promise<unknown>;
  readonly onClose: () => void;
  readonly children?: (faults: FieldFaults) => ComponentChildren;
}

/** A form about one's own account, with one's present password first. */
export function ProofDialog(props: ProofDialogProps) {
  const { hasPassword, field, check, onSubmit, children, done, ...frame } = props;
  const [present, setPresent] = useState('');
  return (
    <FormDialog
      {...frame}
      {...(done === undefined ? {} : { done })}
      shape="narrow"
      check={(): Readonly<Record<string, string>> => ({
        ...(hasPassword && present === '' ? { [field]: 'Enter your current password.' } : {}),
        ...check?.(),
      })}
      onSubmit={() => onSubmit(hasPassword ? { [field]: present } : {})}
    >
      {(faults) => (
        <>
          {hasPassword && (
            <TextField
              id="current-password"
              label="Current password"
              type="password"
              autocomplete="current-password"
              value={present}
              onChange={setPresent}
              error={faults[field]}
              autoFocus
            />
          )}
          {children?.(faults)}
        </>
      )}
    </FormDialog>
  );
}
