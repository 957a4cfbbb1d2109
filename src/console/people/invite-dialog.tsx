import { useState } from 'preact/hooks';
import type { NewInvitation } from '../../client/api.generated.ts';
import { type Role, useClient } from '../session.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Select } from '../ui/select.tsx';
import { TextField } from '../ui/text-field.tsx';
import { ROLE_OPTIONS } from './roles.ts';

interface InviteDialogProps {
  readonly onMade: (invitation: NewInvitation) => void;
  readonly onClose: () => void;
}

/** Invites somebody by e-mail address and role. */
export function InviteDialog({ onMade, onClose }: InviteDialogProps) {
  const client = useClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('builder');
  return (
    <FormDialog
      title="Invite a person"
      action="Create link"
      shape="narrow"
      check={(): Readonly<Record<string, string>> =>
        email.trim() === '' ? { email: 'Enter an e-mail address.' } : {}
      }
      onSubmit={async () =>
        onMade(await client.call('createInvitation', { body: { email: email.trim(), role } }))
      }
      onClose={onClose}
    >
      {(faults) => (
        <>
          <TextField
            id="invite-email"
            label="E-mail address"
            help="No e-mail is sent: you get a link to pass on."
            type="email"
            value={email}
            onChange={setEmail}
            error={faults.email}
            autoFocus
          />
          <Select
            id="invite-role"
            label="Role"
            value={role}
            onChange={setRole}
            options={ROLE_OPTIONS}
            error={faults.role}
          />
        </>
      )}
    </FormDialog>
  );
}
