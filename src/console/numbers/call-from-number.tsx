import { useState } from 'preact/hooks';
import type { Number as PhoneNumber } from '../../client/api.generated.ts';
import { navigate } from '../router.ts';
import { useClient } from '../session.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import { faultOfNumber, plainNumber } from './number-draft.ts';

interface CallFromNumberProps {
  readonly number: PhoneNumber;
  readonly onClose: () => void;
}

/** Starts a call from the number's assistant to a phone number and opens its page. */
export function CallFromNumber({ number, onClose }: CallFromNumberProps) {
  const client = useClient();
  const [callee, setCallee] = useState({ number: '', name: '' });
  const isFree = number.provider.name === 'emulator';
  return (
    <FormDialog
      title="Call someone"
      action="Call"
      check={(): Readonly<Record<string, string>> => {
        const fault = faultOfNumber(callee.number);
        return fault === undefined ? {} : { 'customer.number': fault };
      }}
      onSubmit={async () => {
        const name = callee.name.trim();
        const { id } = await client.call('connectCall', {
          body: {
            direction: 'outbound',
            phoneNumberId: number._id,
            customer: { number: plainNumber(callee.number), ...(name === '' ? {} : { name }) },
          },
        });
        navigate(`/calls/${id}`);
      }}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <p class="soft">
            The assistant calls from {number.number} and talks to the person who answers.{' '}
            {isFree ? 'It is free.' : 'The carrier charges for the call.'}
          </p>
          <TextField
            id="callee-number"
            label="Number"
            type="tel"
            placeholder="+1 415 555 0123"
            value={callee.number}
            onChange={(text) => setCallee({ ...callee, number: text })}
            error={faults['customer.number']}
            autoFocus
          />
          <TextField
            id="callee-name"
            label="Name"
            optional
            help="The assistant may use it to address the person."
            value={callee.name}
            onChange={(name) => setCallee({ ...callee, name })}
            error={faults['customer.name']}
          />
        </>
      )}
    </FormDialog>
  );
}
