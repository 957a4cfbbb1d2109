import type { NumberChange, Number as PhoneNumber } from '../../client/api.generated.ts';
import { AssistantField } from '../assistants/assistant-field.tsx';
import { useClient } from '../session.ts';
import { Callout } from '../ui/callout.tsx';
import { faultText } from '../ui/fault-text.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { Select } from '../ui/select.tsx';
import { Switch } from '../ui/toggle.tsx';
import { type Action, useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';

interface NumberSwitchesProps {
  readonly number: PhoneNumber;
  readonly change: (change: NumberChange) => Promise<void>;
}

/** Assistant of the number and the calls it accepts; each change is saved at once. */
export function NumberSwitches({ number, change }: NumberSwitchesProps) {
  const save = useAction(change, { done: 'Saved.' });
  const { assistantId, inboundEnabled, outboundEnabled } = number;
  return (
    <section class="section" aria-labelledby="number-assistant-title">
      <div class="section-head">
        <h2 id="number-assistant-title">Assistant</h2>
        {assistantId !== '' && (
          <LinkButton small kind="quiet" href={`/assistants/${assistantId}`}>
            Open the assistant
          </LinkButton>
        )}
      </div>
      <div class="card stack">
        {assistantId === '' && (
          <Callout tone="warn">
            <p>Calls to this number are refused until you choose an assistant.</p>
          </Callout>
        )}
        <div class="number-assistant">
          <AssistantField
            id="number-assistant"
            label="Assistant"
            none="None"
            value={assistantId}
            onChange={(next) => next !== assistantId && void save.run({ assistantId: next })}
            error={save.error === undefined ? undefined : faultText(save.error)}
          />
        </div>
        {assistantId !== '' && <NumberVersion key={assistantId} number={number} save={save} />}
        <Switch
          id="number-inbound"
          label="Inbound calls"
          help="Off: callers are refused."
          checked={inboundEnabled}
          disabled={save.busy}
          onChange={(on) => void save.run({ inboundEnabled: on })}
        />
        <Switch
          id="number-outbound"
          label="Outbound calls"
          help="Off: this number makes no calls."
          checked={outboundEnabled}
          disabled={save.busy}
          onChange={(on) => void save.run({ outboundEnabled: on })}
        />
      </div>
    </section>
  );
}

interface NumberVersionProps {
  readonly number: PhoneNumber;
  readonly save: Action<[NumberChange]>;
}

/** Which version of the assistant answers. */
function NumberVersion({ number, save }: NumberVersionProps) {
  const client = useClient();
  const { assistantId, assistantVersion = '' } = number;
  const versions = useLoad(
    (signal) => client.call('listAssistantVersions', { path: { id: assistantId }, signal }),
    [client, assistantId],
  );
  const labels = (versions.data ?? []).flatMap((one) => one.labels);
  const numbers = (versions.data ?? []).map(({ version }) => String(version));
  const names = [...new Set([...labels, assistantVersion, ...numbers])].filter(Boolean);
  return (
    <div class="number-assistant">
      <Select
        id="number-version"
        label="Version"
        help="Published: always the latest published version."
        value={assistantVersion}
        disabled={save.busy}
        onChange={(next) => void save.run({ assistantVersion: next })}
        options={[
          { value: '', label: 'Published' },
          ...names.map((name) => ({
            value: name,
            label: /^\d/.test(name) ? `Version ${name}` : name,
          })),
        ]}
      />
    </div>
  );
}
