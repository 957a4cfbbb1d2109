import { Field, type FieldProps } from './field.tsx';

interface TextAreaProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly disabled?: boolean;
  /** Uses the monospaced font. */
  readonly code?: boolean;
  /** @defaultValue 3 */
  readonly rows?: number;
}

/** A multi-line text input that grows with its content, up to a limit. */
export function TextArea(props: TextAreaProps) {
  const { value, onChange, placeholder, maxLength, disabled, code, rows = 3 } = props;
  return (
    <Field {...props}>
      {(wiring) => (
        <textarea
          {...wiring}
          class={code ? 'input code' : 'input'}
          value={value}
          rows={rows}
          // The automatic height ignores `rows` and would begin at one line.
          style={{ minHeight: `calc(${rows} * 1.5em + 0.75rem + 2px)` }}
          placeholder={placeholder}
          maxLength={maxLength}
          disabled={disabled}
          spellcheck={!code}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
