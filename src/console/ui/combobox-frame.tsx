import type {
  ButtonHTMLAttributes,
  ComponentChildren,
  HTMLAttributes,
  InputHTMLAttributes,
} from 'preact';
import { FieldNotes, type FieldProps, wireField } from './field.tsx';
import { Icon } from './icon.tsx';

export interface ComboboxOption {
  readonly value: string;
  readonly label: string;
  /** Shown as a second line. */
  readonly detail?: string;
}

export interface ComboboxProps extends FieldProps {
  readonly options: readonly ComboboxOption[];
  /** Finds more of them by what was typed, such as on the service. They are asked for when the list is open. */
  readonly find?: (typed: string, signal: AbortSignal) => Promise<readonly ComboboxOption[]>;
  /** Shown where nothing is found. @defaultValue Nothing found. */
  readonly none?: ComponentChildren;
  /** Empty if nothing is selected. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Accepts text that is not in the list. */
  readonly freeText?: boolean;
  readonly placeholder?: string;
  readonly disabled?: boolean;
}

interface FrameProps extends Omit<ComboboxProps, 'id'> {
  /** Id of the input. */
  readonly id: string;
  readonly root?: HTMLAttributes<HTMLDivElement>;
  readonly labelWiring?: HTMLAttributes<HTMLLabelElement>;
  readonly control?: HTMLAttributes<HTMLDivElement>;
  readonly input: InputHTMLAttributes<HTMLInputElement>;
  readonly trigger: ButtonHTMLAttributes<HTMLButtonElement>;
  readonly children?: ComponentChildren;
}

export const triggerId = (id: string): string => `${id}-trigger`;
export const labelId = (id: string): string => `${id}-label`;

/** Label, input, button and notes of a combobox. */
export function ComboboxFrame(props: FrameProps) {
  const { id, label, help, error, optional, children } = props;
  return (
    <div {...props.root} class="field">
      <label for={id} id={labelId(id)} {...props.labelWiring} class="field-label">
        {label} {optional && <span class="field-mark">optional</span>}
      </label>
      <div {...props.control} class="combobox-control">
        <input {...props.input} {...wireField(id, help !== undefined, error)} class="input" />
        <button
          type="button"
          {...props.trigger}
          class="combobox-trigger"
          aria-label={`Show: ${label}`}
        >
          <Icon name="down" />
        </button>
      </div>
      <FieldNotes control={id} help={help} error={error} />
      {children}
    </div>
  );
}
