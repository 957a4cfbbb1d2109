import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** What every field of a form has. */
export interface FieldProps {
  readonly label: string;
  /** What it does, and its bounds. */
  readonly help?: ComponentChildren;
  /** What is wrong with it; nothing or empty: nothing. */
  readonly error?: string | undefined;
  readonly optional?: boolean;
  /** Where a test or a link finds the control. @defaultValue one of its own */
  readonly id?: string;
}

/** Attributes that tie a control to its label, help and fault. */
export interface FieldWiring {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': 'true' | undefined;
}

interface Props extends FieldProps {
  /** Draws the control with the attributes it is given. */
  readonly children: (wiring: FieldWiring) => ComponentChildren;
}

/** Label, control, help and fault of one field, tied together for the ear. */
export function Field({ label, help, error, optional, id, children }: Props) {
  const own = useId();
  const control = id ?? own;
  return (
    <div class="field">
      <label class="field-label" for={control}>
        {label} {optional && <span class="field-mark">optional</span>}
      </label>
      {children(wireField(control, help !== undefined, error))}
      <FieldNotes control={control} help={help} error={error} />
    </div>
  );
}

export function wireField(id: string, helped: boolean, error: string | undefined): FieldWiring {
  const described = [error && `${id}-fault`, helped && `${id}-help`].filter(Boolean).join(' ');
  return {
    id,
    'aria-describedby': described || undefined,
    'aria-invalid': error ? 'true' : undefined,
  };
}

/** Fault and help beneath a control. */
export function FieldNotes(props: {
  readonly control: string;
  readonly help: ComponentChildren;
  readonly error: string | undefined;
}) {
  const { control, help, error } = props;
  return (
    <>
      <p id={`${control}-fault`} class="field-fault" role="alert">
        {error}
      </p>
      {help !== undefined && (
        <p id={`${control}-help`} class="field-help">
          {help}
        </p>
      )}
    </>
  );
}
