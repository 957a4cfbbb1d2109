import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** Props of every form field. */
export interface FieldProps {
  readonly label: string;
  /** Purpose and limits of the field. */
  readonly help?: ComponentChildren;
  /** Error message; undefined or empty if there is none. */
  readonly error?: string | undefined;
  readonly optional?: boolean;
  /** Id of the control, for tests and links. @defaultValue a generated one */
  readonly id?: string;
}

/** Attributes that connect a control to its label, help and error. */
export interface FieldWiring {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': 'true' | undefined;
}

interface Props extends FieldProps {
  /** Renders the control with the given attributes. */
  readonly children: (wiring: FieldWiring) => ComponentChildren;
}

/** Label, control, help and error of a field, connected for screen readers. */
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

/** Error and help below a control. */
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
