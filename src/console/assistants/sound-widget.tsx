import { useState } from 'preact/hooks';
import type { WidgetProps } from '../form/form-scope.ts';
import { Select } from '../ui/select.tsx';
import { TextField } from '../ui/text-field.tsx';

const OPTIONS = [
  { value: 'disable', label: 'None' },
  { value: 'enable', label: 'Built-in ambience' },
  { value: 'own', label: 'Your own audio file' },
] as const;
type Choice = (typeof OPTIONS)[number]['value'];

/** Background sound: none, the built-in ambience, or the URL of a file. */
export function SoundWidget({ id, text, schema, value, onChange, error }: WidgetProps) {
  const [address, setAddress] = useState('https://');
  const choice: Choice = value === 'enable' || value === 'disable' ? value : 'own';
  return (
    <>
      <Select
        id={choice === 'own' ? `${id}.choice` : id}
        label={text.label}
        value={choice}
        onChange={(next) => {
          if (choice === 'own') setAddress(String(value));
          onChange(next === 'own' ? address : next);
        }}
        options={OPTIONS}
      />
      {choice === 'own' && (
        <TextField
          id={id}
          type="url"
          label="URL of the file"
          help="A public https URL."
          error={error}
          {...(schema.maxLength ? { maxLength: schema.maxLength } : {})}
          value={String(value ?? '')}
          onChange={onChange}
        />
      )}
    </>
  );
}
