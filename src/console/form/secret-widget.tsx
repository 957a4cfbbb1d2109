import { useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import type { WidgetProps } from './form-scope.ts';

/** A secret text, masked until the user clicks Show. */
export function SecretWidget({ id, text, schema, value, onChange, help, error }: WidgetProps) {
  const [shown, setShown] = useState(false);
  return (
    <Field id={id} label={text.label} help={help} error={error}>
      {(wiring) => (
        <span class="form-secret">
          <input
            {...wiring}
            class="input"
            type={shown ? 'text' : 'password'}
            autocomplete="new-password"
            spellcheck={false}
            maxLength={schema.maxLength}
            value={typeof value === 'string' ? value : ''}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
          <Button
            aria-pressed={shown}
            aria-label={`Show: ${text.label}`}
            onClick={() => setShown(!shown)}
          >
            {shown ? 'Hide' : 'Show'}
          </Button>
        </span>
      )}
    </Field>
  );
}
