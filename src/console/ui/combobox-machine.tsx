import * as combobox from '@zag-js/combobox';
import { normalizeProps, useMachine } from '@zag-js/preact';
import { useId, useMemo, useState } from 'preact/hooks';
import {
  ComboboxFrame,
  type ComboboxOption,
  type ComboboxProps,
  labelId,
  triggerId,
} from './combobox-frame.tsx';

/** Longer lists are cut; the user types to find the rest. */
const MOST_SHOWN = 200;

/** The combobox itself; `combobox.tsx` loads it when the field is used. */
export function ComboboxMachine(props: ComboboxProps & { readonly id: string }) {
  const { id, error, options, value, onChange, freeText, placeholder } = props;
  const own = useId();
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
    ids: { input: id, label: labelId(id), trigger: triggerId(id) },
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
    // Typing opens the list as well.
    onOpenChange: ({ open }) => !open && setTyped(''),
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
    <ComboboxFrame
      {...props}
      root={api.getRootProps()}
      labelWiring={api.getLabelProps()}
      control={api.getControlProps()}
      input={api.getInputProps()}
      trigger={api.getTriggerProps()}
    >
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
    </ComboboxFrame>
  );
}

function matching(options: readonly ComboboxOption[], typed: string): readonly ComboboxOption[] {
  const wanted = typed.trim().toLowerCase();
  const found = options.filter(({ label, value, detail }) =>
    `${label} ${value} ${detail ?? ''}`.toLowerCase().includes(wanted),
  );
  return found.slice(0, MOST_SHOWN);
}
