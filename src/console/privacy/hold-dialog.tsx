import { useState } from 'preact/hooks';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/text-field.tsx';

interface HoldDialogProps {
  /** What is put on hold: a given call, or a number that is asked for. */
  readonly what: 'call' | 'number';
  /** `number`: empty for a call. */
  readonly onHold: (hold: { readonly number: string; readonly reason: string }) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Puts a call or a number on hold, for a reason. */
export function HoldDialog({ what, onHold, onClose }: HoldDialogProps) {
  const [number, setNumber] = useState('');
  const [reason, setReason] = useState('');
  const asksNumber = what === 'number';
  return (
    <FormDialog
      title={`Put ${asksNumber ? 'a number' : 'the call'} on hold`}
      action="Put on hold"
      done={`${asksNumber ? number : 'The call'} is on hold.`}
      shape="narrow"
      check={(): Readonly<Record<string, string>> => ({
        ...(asksNumber && !/^\+[1-9]\d{1,14}$/.test(number)
          ? { number: 'Enter a number such as +14155550123.' }
          : {}),
        ...(reason.trim() === '' ? { reason: 'Enter a reason.' } : {}),
      })}
      onSubmit={() => onHold({ number, reason })}
      onClose={onClose}
    >
      {(faults) => (
        <>
          {asksNumber && (
            <TextField
              id="hold-number"
              label="Number"
              type="tel"
              error={faults.number}
              value={number}
              onChange={setNumber}
              autoFocus
            />
          )}
          <TextField
            id="hold-reason"
            label="Reason"
            help={`Until the hold is released, ${asksNumber ? 'its calls and texts are' : 'the call is'} exempt from retention rules and deletion.`}
            error={faults.reason}
            value={reason}
            onChange={setReason}
            maxLength={500}
            autoFocus={!asksNumber}
          />
        </>
      )}
    </FormDialog>
  );
}
