import { useState } from 'preact/hooks';
import { useClient } from '../session.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import { vendorName } from './vendor-names.ts';

interface VendorKeyDialogProps {
  readonly vendor: string;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** Takes a key for a vendor. It is never shown again. */
export function VendorKeyDialog({ vendor, onSaved, onClose }: VendorKeyDialogProps) {
  const client = useClient();
  const [apiKey, setApiKey] = useState('');
  const name = vendorName(vendor);
  return (
    <FormDialog
      title={`Key of ${name}`}
      action="Save key"
      shape="narrow"
      done="The key is saved. Test it to see that it works."
      check={(): Readonly<Record<string, string>> =>
        apiKey.trim() === '' ? { apiKey: 'Enter the key.' } : {}
      }
      onSubmit={async () => {
        await client.call('setVendorKey', { path: { vendor }, body: { apiKey: apiKey.trim() } });
        onSaved();
      }}
      onClose={onClose}
    >
      {(faults) => (
        <TextField
          id="vendor-key"
          label="API key"
          help={`Create one in your account at ${name}. It is encrypted and never shown again; new calls use it at once.`}
          type="password"
          autocomplete="new-password"
          value={apiKey}
          onChange={setApiKey}
          error={faults.apiKey}
          autoFocus
        />
      )}
    </FormDialog>
  );
}
