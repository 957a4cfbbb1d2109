import { useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Select } from '../ui/select.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { TextField } from '../ui/text-field.tsx';
import { faultsOfDoc, MAX_ADDRESSES, NEW_WEB_DOC, REACHES, type WebDocDraft } from './web-doc.ts';

interface WebDocDialogProps {
  /** Undefined for a new one. */
  readonly edited?: WebDocDraft | undefined;
  readonly onSave: (draft: WebDocDraft) => Promise<void>;
  readonly onClose: () => void;
}

/** Addresses of a web site, and how much to read from each. */
export function WebDocDialog({ edited, onSave, onClose }: WebDocDialogProps) {
  const [draft, setDraft] = useState(edited ?? NEW_WEB_DOC);
  const { addresses, excluded } = draft;
  const change = (index: number, changes: Partial<(typeof addresses)[number]>): void =>
    setDraft({
      ...draft,
      addresses: addresses.map((it, at) => (at === index ? { ...it, ...changes } : it)),
    });
  return (
    <FormDialog
      title={edited ? 'Edit the web site' : 'Add a web site'}
      action={edited ? 'Save' : 'Add'}
      check={() => faultsOfDoc(draft)}
      onSubmit={() => onSave(draft)}
      onClose={onClose}
    >
      {(faults) => (
        <>
          {addresses.map(({ url, reach }, index) => (
            <div key={index} class="kb-address">
              <TextField
                id={`kb-url-${index}`}
                label={addresses.length === 1 ? 'Address' : `Address ${index + 1}`}
                type="url"
                placeholder="https://example.com/help"
                value={url}
                onChange={(next) => change(index, { url: next })}
                error={faults[`url-${index}`]}
                autoFocus={index === 0}
              />
              <Select
                label="Pages to read"
                value={reach}
                onChange={(next) => change(index, { reach: next })}
                options={REACHES}
              />
              {addresses.length > 1 && (
                <Button
                  small
                  icon="trash"
                  onClick={() =>
                    setDraft({ ...draft, addresses: addresses.filter((_, at) => at !== index) })
                  }
                >
                  Remove address {index + 1}
                </Button>
              )}
            </div>
          ))}
          <div>
            <Button
              small
              icon="plus"
              disabled={addresses.length >= MAX_ADDRESSES}
              onClick={() =>
                setDraft({ ...draft, addresses: [...addresses, { url: '', reach: 'page' }] })
              }
            >
              Add another address
            </Button>
          </div>
          <TextArea
            label="Exclude"
            optional
            rows={2}
            help="One address per line. Pages below it are excluded too."
            value={excluded}
            onChange={(next) => setDraft({ ...draft, excluded: next })}
            error={faults.excluded}
          />
        </>
      )}
    </FormDialog>
  );
}
