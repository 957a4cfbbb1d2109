import { useState } from 'preact/hooks';
import type { FieldFaults } from '../field-faults.ts';
import { useClient } from '../session.ts';
import { TextField } from '../ui/text-field.tsx';
import { ProofDialog } from './proof-dialog.tsx';

interface PasswordDialogProps {
  readonly hasPassword: boolean;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Changes one's password, or chooses the first one. */
export function PasswordDialog({ hasPassword, onChanged, onClose }: PasswordDialogProps) {
  const client = useClient();
  const [password, setPassword] = useState('');
  return (
    <ProofDialog
      title={hasPassword ? 'Change your password' : 'Choose a password'}
      action="Save"
      done="The password was saved."
      hasPassword={hasPassword}
      field="current"
      check={(): FieldFaults => (password === '' ? { password: 'Enter a new password.' } : {})}
      onSubmit={async (proof) => {
        await client.call('changePassword', { body: { ...proof, password } });
        onChanged();
      }}
      onClose={onClose}
    >
      {(faults) => (
        <TextField
          id="new-password"
          label="New password"
          help="Twelve characters or more."
          type="password"
          autocomplete="new-password"
          value={password}
          onChange={setPassword}
          error={faults.password}
          autoFocus={!hasPassword}
        />
      )}
    </ProofDialog>
  );
}
