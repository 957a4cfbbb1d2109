import { useState } from 'preact/hooks';
import type { AssistantVersion } from '../../client/api.generated.ts';
import { useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { faultText } from '../ui/fault-text.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useAction } from '../use-action.ts';

interface LabelDialogProps {
  readonly assistantId: string;
  readonly version: AssistantVersion;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Gives a version a label, or removes one. */
export function LabelDialog({ assistantId: id, version, onChanged, onClose }: LabelDialogProps) {
  const client = useClient();
  const [label, setLabel] = useState('production');
  const remove = useAction(async (gone: string) => {
    await client.call('removeAssistantLabel', { path: { id, label: gone } });
    onChanged();
    onClose();
  });
  return (
    <FormDialog
      title={`Label version ${version.version}`}
      action="Set label"
      shape="narrow"
      check={(): Readonly<Record<string, string>> =>
        /^[a-z][a-z0-9-]{0,39}$/.test(label)
          ? {}
          : { label: 'Use lower-case letters, digits and hyphens; begin with a letter.' }
      }
      onSubmit={async () => {
        const body = { version: version.version };
        await client.call('setAssistantLabel', { path: { id, label }, body });
        onChanged();
      }}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <TextField
            id="version-label"
            label="Label"
            help="Such as production or staging. Numbers and requests may name it; it moves here from any other version."
            value={label}
            maxLength={40}
            onChange={setLabel}
            error={faults.label}
            autoFocus
          />
          {version.labels.map((one) => (
            <p key={one} class="row">
              {one}
              <Button
                small
                kind="quiet"
                aria-label={`Remove ${one}`}
                onClick={() => void remove.run(one)}
              >
                Remove
              </Button>
            </p>
          ))}
          {remove.error !== undefined && <Callout tone="bad">{faultText(remove.error)}</Callout>}
        </>
      )}
    </FormDialog>
  );
}
