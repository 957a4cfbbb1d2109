import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { useRef } from 'preact/hooks';
import type { NewApiKey } from '../../client/api.generated.ts';
import { leaveIfRefused, useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { faultText } from '../ui/fault-text.ts';

/** Makes a key; what the service has against its name is said beneath it. */
export function NewKeyForm({ onMade }: { readonly onMade: (key: NewApiKey) => void }) {
  const client = useClient();
  const field = useRef<HTMLInputElement>(null);
  const busy = useSignal(false);
  const fault = useSignal('');

  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const name = field.current?.value.trim() ?? '';
    if (busy.value) return;
    if (name === '') {
      fault.value = 'Say what the key is for.';
      field.current?.focus();
      return;
    }
    busy.value = true;
    try {
      onMade(await client.call('createApiKey', { body: { name } }));
      if (field.current) field.current.value = '';
    } catch (error) {
      leaveIfRefused(error);
      fault.value = faultText(error);
      field.current?.focus();
    } finally {
      busy.value = false;
    }
  };

  return (
    <form class="section" noValidate onSubmit={submit}>
      <label class="field-label" for="key-name">
        What is the new key for?
      </label>
      <div class="field-row">
        <input
          ref={field}
          id="key-name"
          class="input"
          maxLength={200}
          autocomplete="off"
          aria-describedby="key-name-fault"
          aria-invalid={fault.value !== '' ? 'true' : undefined}
          onInput={() => {
            fault.value = '';
          }}
        />
        <Button type="submit" id="make-key" kind="primary" busy={busy.value}>
          Make a key
        </Button>
      </div>
      <p id="key-name-fault" class="fault" role="alert">
        {fault}
      </p>
    </form>
  );
}
