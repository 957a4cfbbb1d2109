import type { ComponentChildren, JSX } from 'preact';

interface GroupFieldProps {
  readonly id: string;
  readonly label: string;
  readonly help?: JSX.Element | undefined;
  readonly error?: string | undefined;
  readonly children: ComponentChildren;
}

/** A field with several controls; an error of the field as a whole is shown at its top, which can take the focus. */
export function GroupField({ id, label, help, error, children }: GroupFieldProps) {
  const described = [error && `${id}-fault`, help && `${id}-help`].filter(Boolean).join(' ');
  return (
    <fieldset id={id} tabIndex={-1} class="form-group" aria-describedby={described || undefined}>
      <legend class="field-label">{label}</legend>
      {help && (
        <p id={`${id}-help`} class="field-help">
          {help}
        </p>
      )}
      <p id={`${id}-fault`} class="field-fault" role="alert">
        {error}
      </p>
      {children}
    </fieldset>
  );
}
