import { useState } from 'preact/hooks';
import { navigate } from '../router.ts';
import { useClient } from '../session.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Select } from '../ui/select.tsx';
import { TextField } from '../ui/text-field.tsx';
import { Checkbox } from '../ui/toggle.tsx';
import { CARRIER_NAMES, CARRIERS } from './carriers.ts';
import { importNumber } from './import-number.ts';
import { faultsOfDraft, type NumberDraft } from './number-draft.ts';

interface ImportNumberDialogProps {
  readonly onClose: () => void;
}

const NEW: NumberDraft = {
  carrier: 'twilio',
  number: '',
  label: '',
  ownAccount: false,
  account: {},
};

/** Imports a number that the user has at a carrier. */
export function ImportNumberDialog({ onClose }: ImportNumberDialogProps) {
  const client = useClient();
  const [draft, setDraft] = useState(NEW);
  const { title, about, account } = CARRIERS[draft.carrier];
  const edit = (changes: Partial<NumberDraft>): void => setDraft({ ...draft, ...changes });
  return (
    <FormDialog
      title="Import a number"
      action="Import"
      done="The number is imported."
      check={() => faultsOfDraft(draft)}
      onSubmit={async () => {
        const { _id: id } = await importNumber(client, draft);
        navigate(`/numbers/${id}`);
      }}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <Select
            id="number-carrier"
            label="Carrier"
            help={about}
            value={draft.carrier}
            onChange={(carrier) => edit({ carrier, ownAccount: false, account: {} })}
            options={CARRIER_NAMES.map((value) => ({ value, label: CARRIERS[value].title }))}
          />
          <TextField
            id="number-number"
            label="Number"
            type="tel"
            placeholder="+1 415 555 0123"
            value={draft.number}
            onChange={(number) => edit({ number })}
            error={faults.number}
            autoFocus
          />
          <TextField
            id="number-label"
            label="Label"
            optional
            help="The purpose, such as “Reception”. It cannot be changed later."
            value={draft.label}
            onChange={(label) => edit({ label })}
            error={faults.label}
            maxLength={200}
          />
          {account.length > 0 && (
            <Checkbox
              id="number-own"
              label={`Use a separate ${title} account`}
              help="Otherwise the service’s own account is used."
              checked={draft.ownAccount}
              onChange={(ownAccount) => edit({ ownAccount })}
            />
          )}
          {draft.ownAccount &&
            account.map((field) => (
              <TextField
                key={field.name}
                id={`number-${field.name}`}
                label={field.label}
                help={field.secret ? 'Stored encrypted and never shown again.' : field.help}
                optional={field.optional ?? false}
                type={field.secret ? 'password' : 'text'}
                value={draft.account[field.name] ?? ''}
                onChange={(value) => edit({ account: { ...draft.account, [field.name]: value } })}
                error={faults[`credentials.${field.name}`]}
                maxLength={field.maxLength}
              />
            ))}
        </>
      )}
    </FormDialog>
  );
}
