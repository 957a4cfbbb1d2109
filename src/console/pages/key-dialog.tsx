import { useState } from 'preact/hooks';
import type { ApiKey, NewApiKey } from '../../client/api.generated.ts';
import { ROLE_OPTIONS } from '../people/roles.ts';
import { type Role, useClient } from '../session.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Select } from '../ui/select.tsx';
import { TextField } from '../ui/text-field.tsx';

interface KeyDialogProps {
  /** The key to change; absent: a new one is made. */
  readonly of?: ApiKey;
  readonly onMade?: (key: NewApiKey) => void;
  readonly onChanged?: () => void;
  readonly onClose: () => void;
}

const MAX_NAME_CHARS = 200;
const DAY_MS = 24 * 3600_000;

type Expiry = 'keep' | 'never' | 'day' | 'month' | 'year';

const DAYS: Readonly<Partial<Record<Expiry, number>>> = { day: 1, month: 30, year: 365 };

const expiryIn = (days: number | undefined) =>
  days === undefined ? {} : { expiresAt: new Date(Date.now() + days * DAY_MS).toISOString() };

const EXPIRIES: readonly { readonly value: Expiry; readonly label: string }[] = [
  { value: 'never', label: 'Never' },
  { value: 'day', label: 'In a day' },
  { value: 'month', label: 'In 30 days' },
  { value: 'year', label: 'In a year' },
];

/** Creates or changes a key; errors are shown below the fields that they are about. */
export function KeyDialog({ of, onMade, onChanged, onClose }: KeyDialogProps) {
  const client = useClient();
  const [name, setName] = useState(of?.name ?? '');
  const [role, setRole] = useState<Role>(of?.role ?? 'builder');
  const [expiry, setExpiry] = useState<Expiry>(of ? 'keep' : 'never');

  const save = async (): Promise<void> => {
    const config = { name: name.trim(), role, ...expiryIn(DAYS[expiry]) };
    if (!of) {
      onMade?.(await client.call('createApiKey', { body: config }));
      return;
    }
    const body = { ...config, ...(expiry === 'never' ? { expiresAt: null } : {}) };
    await client.call('updateApiKey', { path: { id: of.id }, body });
    onChanged?.();
  };

  return (
    <FormDialog
      title={of ? `Change “${of.name}”` : 'New API key'}
      action={of ? 'Save' : 'Create key'}
      shape="narrow"
      check={(): Readonly<Record<string, string>> =>
        name.trim() === '' ? { name: 'Enter a name.' } : {}
      }
      onSubmit={save}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <TextField
            id="key-name"
            label="Name"
            placeholder="Such as “Billing”"
            value={name}
            onChange={setName}
            error={faults.name}
            maxLength={MAX_NAME_CHARS}
            autoFocus
          />
          <Select
            id="key-role"
            label="Role"
            value={role}
            onChange={setRole}
            options={ROLE_OPTIONS}
            error={faults.role}
          />
          <Select
            id="key-expiry"
            label="Expires"
            value={expiry}
            onChange={setExpiry}
            options={of ? [{ value: 'keep', label: 'As it is' }, ...EXPIRIES] : EXPIRIES}
            error={faults.expiresAt}
          />
        </>
      )}
    </FormDialog>
  );
}
