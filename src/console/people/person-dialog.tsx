import { useState } from 'preact/hooks';
import type { Person } from '../../client/api.generated.ts';
import { type Role, useClient } from '../session.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Select } from '../ui/select.tsx';
import { TextField } from '../ui/text-field.tsx';
import { ROLE_OPTIONS } from './roles.ts';

interface PersonDialogProps {
  readonly of: Person;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Changes name and role of a person. */
export function PersonDialog({ of, onChanged, onClose }: PersonDialogProps) {
  const client = useClient();
  const [name, setName] = useState(of.name);
  const [role, setRole] = useState<Role>(of.role);
  return (
    <FormDialog
      title={`Change ${of.name}`}
      action="Save"
      shape="narrow"
      check={(): Readonly<Record<string, string>> =>
        name.trim() === '' ? { name: 'Enter a name.' } : {}
      }
      onSubmit={async () => {
        const body = { name: name.trim(), role };
        await client.call('updatePerson', { path: { id: of.id }, body });
        onChanged();
      }}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <TextField
            id="person-name"
            label="Name"
            value={name}
            onChange={setName}
            error={faults.name}
            maxLength={200}
          />
          <Select
            id="person-role"
            label="Role"
            help="Changing the role signs the person out everywhere."
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
