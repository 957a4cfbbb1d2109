import { useState } from 'preact/hooks';
import { Field, type FieldProps } from './field.tsx';

interface NumberFieldProps extends FieldProps {
  readonly value: number | undefined;
  /** Gets undefined if the field is empty or not a number. */
  readonly onChange: (value: number | undefined) => void;
  readonly min?: number;
  readonly max?: number;
  /** @defaultValue any */
  readonly step?: number;
  /** Unit shown after the number, such as “ms”. */
  readonly unit?: string;
  readonly placeholder?: string;
  readonly disabled?: boolean;
}

/** A number with limits and a unit; the typed text is not reformatted. */
export function NumberField(props: NumberFieldProps) {
  const { value, onChange, min, max, step, unit, placeholder, disabled } = props;
  const [typed, setTyped] = useState(textOf(value));
  const shown = Number(typed) === value && typed !== '' ? typed : textOf(value);
  return (
    <Field {...props}>
      {(wiring) => (
        <span class="input-unit">
          <input
            {...wiring}
            class="input numeric"
            type="number"
            inputMode="decimal"
            value={shown}
            min={min}
            max={max}
            step={step ?? 'any'}
            placeholder={placeholder}
            disabled={disabled}
            onInput={({ currentTarget }) => {
              setTyped(currentTarget.value);
              const next = currentTarget.valueAsNumber;
              onChange(Number.isNaN(next) ? undefined : next);
            }}
          />
          {unit && <span class="soft">{unit}</span>}
        </span>
      )}
    </Field>
  );
}

function textOf(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}
