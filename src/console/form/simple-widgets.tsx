import { Combobox } from '../ui/combobox.tsx';
import { NumberField } from '../ui/number-field.tsx';
import { Select } from '../ui/select.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { TextField } from '../ui/text-field.tsx';
import { Switch } from '../ui/toggle.tsx';
import type { WidgetProps } from './form-scope.ts';

export function LineWidget({ id, text, schema, value, onChange, help, error }: WidgetProps) {
  return (
    <TextField
      id={id}
      label={text.label}
      help={help}
      error={error}
      type={text.input ?? 'text'}
      {...(text.placeholder ? { placeholder: text.placeholder } : {})}
      {...(schema.maxLength ? { maxLength: schema.maxLength } : {})}
      value={asText(value)}
      onChange={onChange}
    />
  );
}

export function AreaWidget({ id, text, schema, value, onChange, help, error }: WidgetProps) {
  return (
    <TextArea
      id={id}
      label={text.label}
      help={help}
      error={error}
      {...(text.placeholder ? { placeholder: text.placeholder } : {})}
      {...(schema.maxLength ? { maxLength: schema.maxLength } : {})}
      value={asText(value)}
      onChange={onChange}
    />
  );
}

export function NumberWidget({ id, text, schema, value, onChange, help, error }: WidgetProps) {
  const { minimum, maximum, default: fallback } = schema;
  return (
    <NumberField
      id={id}
      label={text.label}
      help={help}
      error={error}
      {...(minimum === undefined ? {} : { min: minimum })}
      {...(maximum === undefined ? {} : { max: maximum })}
      {...(schema.type === 'integer' ? { step: 1 } : {})}
      {...(text.unit ? { unit: text.unit } : {})}
      {...(fallback === undefined ? {} : { placeholder: String(fallback) })}
      value={typeof value === 'number' ? value : undefined}
      onChange={onChange}
    />
  );
}

export function SwitchWidget({ id, text, value, onChange, help, error }: WidgetProps) {
  return (
    <Switch
      id={id}
      label={text.label}
      help={help}
      error={error}
      checked={value === true}
      onChange={onChange}
    />
  );
}

export function SelectWidget({ id, text, schema, value, onChange, help, error }: WidgetProps) {
  const known = schema.enum ?? [];
  const current = asText(value);
  // A stored value that is no longer known stays selected until the user chooses another.
  const all = current === '' || known.includes(current) ? known : [current, ...known];
  return (
    <Select
      id={id}
      label={text.label}
      help={help}
      error={error}
      value={current}
      onChange={onChange}
      options={all.map((option) => ({ value: option, label: text.options?.[option] ?? option }))}
    />
  );
}

export function SuggestionsWidget({ id, text, schema, value, onChange, help, error }: WidgetProps) {
  const options = (schema.examples ?? []).map((example) => ({
    value: String(example),
    label: String(example),
  }));
  return (
    <Combobox
      id={id}
      label={text.label}
      help={help}
      error={error}
      freeText
      {...(text.placeholder ? { placeholder: text.placeholder } : {})}
      options={options}
      value={asText(value)}
      onChange={onChange}
    />
  );
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
