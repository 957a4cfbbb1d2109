import { useState } from 'preact/hooks';
import type { NewApiKey } from '../../client/api.generated.ts';
import { useClient } from '../session.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/text-field.tsx';

interface NewKeyDialogProps {
  readonly onMade: (key: NewApiKey) => void;
  readonly onClose: () => void;
}

const MAX_NAME_CHARS = 200;

/** Creates a key; an error about its name is shown below the field. */
export function NewKeyDialog({ onMade, onClose }: NewKeyDialogProps) {
  const client = useClient();
  const [name, setName] = useState('');
  return (
    <FormDialog
      title="New API key"
      action="Create key"
      shape="narrow"
      check={(): Readonly<Record<string, string>> =>
        name.trim() === '' ? { name: 'Enter a name.' } : {}
      }
      onSubmit={async () =>
        onMade(await client.call('createApiKey', { body: { name: name.trim() } }))
      }
      onClose={onClose}
    >
      {(faults) => (
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
      )}
    </FormDialog>
  );
}
