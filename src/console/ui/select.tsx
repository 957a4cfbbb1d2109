import { Field, type FieldProps } from './field.tsx';

interface SelectProps<V extends string> extends FieldProps {
  readonly value: V;
  readonly onChange: (value: V) => void;
  readonly options: readonly { readonly value: V; readonly label: string }[];
  readonly disabled?: boolean;
}

/** One of a few: the browser's own list. For many, or free text, there is Combobox. */
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
