import { useState } from 'preact/hooks';
import { ComboboxFrame, type ComboboxProps, triggerId } from './combobox-frame.tsx';
import { type RestingProps, whenUsed } from './when-used.tsx';

/** Searchable choice from a list, or free text with suggestions. */
export const Combobox = whenUsed<ComboboxProps>(
  async () => (await import('./combobox-machine.tsx')).ComboboxMachine,
  RestingCombobox,
);

function RestingCombobox(props: ComboboxProps & RestingProps) {
  const { id, options, value, onChange, freeText, placeholder, disabled, busy, onNear, onUse } =
    props;
  const [typed, setTyped] = useState<string>();
  const chosen = value === '' ? undefined : options.find((it) => it.value === value)?.label;
  return (
    <ComboboxFrame
      {...props}
      control={{ onPointerEnter: onNear, onFocusIn: onNear }}
      input={{
        type: 'text',
        role: 'combobox',
        autoComplete: 'off',
        spellcheck: false,
        placeholder,
        disabled,
        value: typed ?? chosen ?? (freeText ? value : ''),
        'aria-autocomplete': 'list',
        'aria-expanded': false,
        'aria-busy': busy || undefined,
        onInput: (event) => {
          setTyped(event.currentTarget.value);
          if (freeText) onChange(event.currentTarget.value);
          // A word that is still being composed would be lost with the field.
          if (!event.isComposing) onUse(event);
        },
        onCompositionEnd: (event) => event.currentTarget.dispatchEvent(new InputEvent('input')),
        onClick: onUse,
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          onUse(event);
        },
      }}
      trigger={{
        id: triggerId(id),
        tabIndex: -1,
        disabled,
        'aria-haspopup': 'listbox',
        'aria-expanded': false,
        onClick: onUse,
      }}
    />
  );
}
