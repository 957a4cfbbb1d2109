import { Field, type FieldProps } from './field.tsx';

interface TextFieldProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'search' | 'url' | 'tel' | 'email' | 'password' | 'date';
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly disabled?: boolean;
  /** What the browser may fill in. @defaultValue off */
  readonly autocomplete?: string;
  readonly autoFocus?: boolean;
}

/** One line of text. */
export function TextField(props: TextFieldProps) {
  const { value, onChange, type = 'text', placeholder, maxLength, disabled, autoFocus } = props;
  const { autocomplete = 'off' } = props;
  return (
    <Field {...props}>
      {(wiring) => (
        <input
          {...wiring}
          class="input"
          type={type}
          value={value}
          placeholder={placeholder}
          maxLength={maxLength}
          disabled={disabled}
          // biome-ignore lint/a11y/noAutofocus: only where a dialog opens for this field
          autoFocus={autoFocus}
          autocomplete={autocomplete}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
