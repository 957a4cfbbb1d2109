import { Field, type FieldProps } from './field.tsx';

interface SelectProps<V extends string> extends FieldProps {
  readonly value: V;
  readonly onChange: (value: V) => void;
  readonly options: readonly { readonly value: V; readonly label: string }[];
  readonly disabled?: boolean;
}

/** The browser's own select, for a few options. For many options or free text, use Combobox. */
export function Select<V extends string>(props: SelectProps<V>) {
  const { value, onChange, options, disabled } = props;
  return (
    <Field {...props}>
      {(wiring) => (
        <select
          {...wiring}
          class="input"
          value={value}
          disabled={disabled}
          onChange={(event) => onChange(event.currentTarget.value as V)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
