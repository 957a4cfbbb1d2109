import { useState } from 'preact/hooks';
import type { PublicKey } from '../../client/api.generated.ts';
import { AssistantField } from '../assistants/assistant-field.tsx';
import type { FieldFaults } from '../field-faults.ts';
import { useClient } from '../session.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { NumberField } from '../ui/number-field.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { TextField } from '../ui/text-field.tsx';
import { Checkbox } from '../ui/toggle.tsx';

interface PublicKeyDialogProps {
  /** The key to change; absent: a new one is made. */
  readonly of?: PublicKey;
  readonly onSaved: (key: PublicKey) => void;
  readonly onClose: () => void;
}

const MAX_NAME_CHARS = 200;

const LIMITS = [
  { field: 'callsAtOnce', label: 'Calls at once', most: 100 },
  { field: 'minutesPerDay', label: 'Minutes a day', most: 10_000 },
  { field: 'minutesPerCall', label: 'Minutes a call', most: 120 },
] as const;

type Limits = Readonly<Record<(typeof LIMITS)[number]['field'], number | undefined>>;

/** What the service takes if nothing is said. */
const LIMITS_AT_FIRST: Limits = { callsAtOnce: 3, minutesPerDay: 60, minutesPerCall: 10 };

/** Creates or changes a public key; errors are shown below the fields that they are about. */
export function PublicKeyDialog({ of, onSaved, onClose }: PublicKeyDialogProps) {
  const client = useClient();
  const [name, setName] = useState(of?.name ?? '');
  const [assistantId, setAssistantId] = useState(of?.assistantId ?? '');
  const [sites, setSites] = useState(of?.origins.join('\n') ?? '');
  const [demo, setDemo] = useState(of?.demo ?? true);
  const [limits, setLimits] = useState<Limits>(of ?? LIMITS_AT_FIRST);

  const check = (): FieldFaults => ({
    ...(name.trim() === '' ? { name: 'Enter a name.' } : {}),
    ...(assistantId === '' ? { assistantId: 'Choose an assistant.' } : {}),
    ...Object.fromEntries(
      LIMITS.filter(({ field }) => limits[field] === undefined).map(({ field, most }) => [
        field,
        `Enter a number from 1 to ${most}.`,
      ]),
    ),
  });

  const save = async (): Promise<void> => {
    const { callsAtOnce = 0, minutesPerDay = 0, minutesPerCall = 0 } = limits;
    const body = {
      ...{ name: name.trim(), assistantId, demo, callsAtOnce, minutesPerDay, minutesPerCall },
      origins: sites
        .split(/\s+/)
        .filter((line) => line !== '')
        .map(originOf),
    };
    const saved = of
      ? await client.call('updatePublicKey', { path: { id: of.id }, body })
      : await client.call('createPublicKey', { body });
    onSaved(saved);
  };

  return (
    <FormDialog
      title={of ? `Change “${of.name}”` : 'New public key'}
      action={of ? 'Save' : 'Create key'}
      check={check}
      onSubmit={save}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <TextField
            id="public-key-name"
            label="Name"
            placeholder="Such as “Shop”"
            value={name}
            onChange={setName}
            error={faults.name}
            maxLength={MAX_NAME_CHARS}
            autoFocus
          />
          <AssistantField
            id="public-key-assistant"
            label="Assistant"
            help="Its calls are with this assistant, as it is published."
            value={assistantId}
            onChange={setAssistantId}
            error={faults.assistantId}
          />
          <TextArea
            id="public-key-origins"
            label="Sites"
            help="Websites that may use it, one per line."
            placeholder="https://www.example.com"
            value={sites}
            onChange={setSites}
            error={siteFaults(faults)}
            optional={demo}
          />
          <Checkbox
            id="public-key-demo-allowed"
            label="Demo page"
            help="A page of this service with a call button, for anyone with the link."
            checked={demo}
            onChange={setDemo}
            error={faults.demo}
          />
          {LIMITS.map(({ field, label, most }) => (
            <NumberField
              key={field}
              id={`public-key-${field}`}
              label={label}
              value={limits[field]}
              onChange={(value) => setLimits({ ...limits, [field]: value })}
              min={1}
              max={most}
              step={1}
              error={faults[field]}
            />
          ))}
        </>
      )}
    </FormDialog>
  );
}

/** The address of any page of a site names the site; what is no address is refused by the service. */
function originOf(site: string): string {
  const origin = URL.parse(site)?.origin;
  return origin === undefined || origin === 'null' ? site : origin;
}

/** The errors of the list and of each of its sites. */
function siteFaults(faults: FieldFaults): string | undefined {
  const found = Object.entries(faults).filter(([path]) => /^origins(\.\d+)?$/.test(path));
  return found.map(([, message]) => message).join(' ') || undefined;
}
