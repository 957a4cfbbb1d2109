import * as combobox from '@zag-js/combobox';
import { normalizeProps, useMachine } from '@zag-js/preact';
import { useId, useMemo, useState } from 'preact/hooks';
import { FieldNotes, type FieldProps, wireField } from './field.tsx';
import { Icon } from './icon.tsx';

export interface ComboboxOption {
  readonly value: string;
  readonly label: string;
  /** Shown as a second line. */
  readonly detail?: string;
}

interface ComboboxProps extends FieldProps {
  readonly options: readonly ComboboxOption[];
  /** Empty if nothing is selected. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Accepts text that is not in the list. */
  readonly freeText?: boolean;
  readonly placeholder?: string;
  readonly disabled?: boolean;
}

/** Longer lists are cut; the user types to find the rest. */
const MOST_SHOWN = 200;

/** Searchable choice from a list, or free text with suggestions. */
export function Combobox(props: ComboboxProps) {
  const { label, help, error, optional, id, options, value, onChange, freeText, placeholder } =
    props;
  const own = useId();
  const control = id ?? own;
  const [typed, setTyped] = useState('');
  const shown = useMemo(() => matching(options, typed), [options, typed]);
  const collection = useMemo(
    () =>
      combobox.collection({
        items: shown,
        itemToValue: (item) => item.value,
        itemToString: (item) => item.label,
      }),
    [shown],
  );
  const service = useMachine(combobox.machine, {
    id: own,
    ids: { input: control, label: `${control}-label` },
    collection,
    value: value === '' || !options.some((option) => option.value === value) ? [] : [value],
    ...(freeText
      ? { inputValue: options.find((option) => option.value === value)?.label ?? value }
      : {}),
    allowCustomValue: freeText ?? false,
    openOnClick: true,
    // Rendered in place with fixed positioning, so that inside a dialog it stays in the dialog's top layer.
    positioning: { sameWidth: true, strategy: 'fixed' },
    disabled: props.disabled ?? false,
    invalid: Boolean(error),
    placeholder: placeholder ?? '',
    onOpenChange: () => setTyped(''),
    onInputValueChange: ({ inputValue, reason }) => {
      if (reason !== 'input-change') return;
      setTyped(inputValue);
      if (freeText) onChange(inputValue);
    },
    onValueChange: (details) => {
      const next = details.value[0];
      if (next !== undefined) onChange(next);
      else if (!freeText) onChange('');
    },
  });
  const api = combobox.connect(service, normalizeProps);
  return (
    <div {...api.getRootProps()} class="field">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: its props associate it with the input */}
      <label {...api.getLabelProps()} class="field-label">
        {label} {optional && <span class="field-mark">optional</span>}
      </label>
      <div {...api.getControlProps()} class="combobox-control">
        <input
          {...api.getInputProps()}
          {...wireField(control, help !== undefined, error)}
          class="input"
        />
        <button {...api.getTriggerProps()} class="combobox-trigger" aria-label={`Show: ${label}`}>
          <Icon name="down" />
        </button>
      </div>
      <FieldNotes control={control} help={help} error={error} />
      {api.open && shown.length > 0 && (
        <div {...api.getPositionerProps()}>
          <ul {...api.getContentProps()} class="options">
            {shown.map((item) => (
              <li key={item.value} {...api.getItemProps({ item })} class="option">
                {item.label}
                {item.detail && <span class="option-detail">{item.detail}</span>}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function matching(options: readonly ComboboxOption[], typed: string): readonly ComboboxOption[] {
  const wanted = typed.trim().toLowerCase();
  const found = options.filter(({ label, value, detail }) =>
    `${label} ${value} ${detail ?? ''}`.toLowerCase().includes(wanted),
  );
  return found.slice(0, MOST_SHOWN);
}
