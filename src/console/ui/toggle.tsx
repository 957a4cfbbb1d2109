import { useId } from 'preact/hooks';
import { FieldNotes, type FieldProps, wireField } from './field.tsx';

interface ToggleProps extends Omit<FieldProps, 'optional'> {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
}

/** A switch that takes effect at once. */
export function Switch(props: ToggleProps) {
  return <Toggle {...props} role="switch" />;
}

/** A checkbox, in a form or as one of several choices. */
export function Checkbox(props: ToggleProps) {
  return <Toggle {...props} />;
}

function Toggle(props: ToggleProps & { readonly role?: 'switch' }) {
  const { label, help, error, id, checked, onChange, disabled, role } = props;
  const own = useId();
  const control = id ?? own;
  return (
    <div class="toggle">
      <input
        {...wireField(control, help !== undefined, error)}
        type="checkbox"
        role={role}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label class="field-label" for={control}>
        {label}
      </label>
      <FieldNotes control={control} help={help} error={error} />
    </div>
  );
}
