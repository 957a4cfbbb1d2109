import * as combobox from '@zag-js/combobox';
import { normalizeProps, useMachine } from '@zag-js/preact';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import {
  ComboboxFrame,
  type ComboboxOption,
  type ComboboxProps,
  labelId,
  triggerId,
} from './combobox-frame.tsx';
import { faultText } from './fault-text.ts';

/** Longer lists are cut; the user types to find the rest. */
const MOST_SHOWN = 200;
const TYPING_MS = 200;

/** The combobox itself; `combobox.tsx` loads it when the field is used. */
export function ComboboxMachine(props: ComboboxProps & { readonly id: string }) {
  const { id, error, options, value, onChange, freeText, placeholder } = props;
  const own = useId();
  const [typed, setTyped] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const found = useFound(props.find, typed, isOpen);
  const shown = useMemo(() => shownOf(options, found, typed), [options, found, typed]);
  const collection = useMemo(
    () =>
      combobox.collection({
        items: shown,
        itemToValue: (item) => item.value,
        itemToString: (item) => item.label,
      }),
    [shown],
  );
  const known = [...options, ...found.options];
  const service = useMachine(combobox.machine, {
    id: own,
    ids: { input: id, label: labelId(id), trigger: triggerId(id) },
    collection,
    value: value === '' || !known.some((option) => option.value === value) ? [] : [value],
    ...(freeText
      ? { inputValue: known.find((option) => option.value === value)?.label ?? value }
      : {}),
    allowCustomValue: freeText ?? false,
    openOnClick: true,
    // Rendered in place with fixed positioning, so that inside a dialog it stays in the dialog's top layer.
    positioning: { sameWidth: true, strategy: 'fixed' },
    disabled: props.disabled ?? false,
    invalid: Boolean(error),
    placeholder: placeholder ?? '',
    // Typing opens the list as well.
    onOpenChange: ({ open }) => {
      setIsOpen(open);
      if (!open) setTyped('');
    },
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
      {api.open && shown.length === 0 && found.isSettled && (
        <div {...api.getPositionerProps()}>
          <p class="options option-none" role="status">
            {found.error === undefined ? (props.none ?? 'Nothing found.') : faultText(found.error)}
          </p>
        </div>
      )}
    </ComboboxFrame>
  );
}

interface Found {
  readonly options: readonly ComboboxOption[];
  /** What was typed when these were found. */
  readonly typed?: string;
  readonly error?: unknown;
  /** Nothing is being looked for. */
  readonly isSettled: boolean;
}

/** What is found by what was typed, once the typing has paused. */
function useFound(find: ComboboxProps['find'], typed: string, isOpen: boolean): Found {
  const [found, setFound] = useState<Found>({ options: [], isSettled: false });
  const latest = useRef(find);
  latest.current = find;
  useEffect(() => {
    if (!isOpen) return;
    const controller = new AbortController();
    const { signal } = controller;
    const settle = (next: Omit<Found, 'isSettled'>): void => {
      if (!signal.aborted) setFound({ ...next, isSettled: true });
    };
    const look = (): void => {
      latest.current?.(typed, signal).then(
        (options) => settle({ options, typed }),
        (error: unknown) => settle({ options: [], typed, error }),
      );
    };
    setFound((old) => ({ ...old, isSettled: false }));
    const timer = setTimeout(look, typed === '' ? 0 : TYPING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [typed, isOpen]);
  return found;
}

/** What matches, and what was found; what was found for another text only where it matches as well. */
function shownOf(
  options: readonly ComboboxOption[],
  found: Found,
  typed: string,
): readonly ComboboxOption[] {
  const matched = matching(options, typed);
  const others = found.typed === typed ? found.options : matching(found.options, typed);
  return [...matched, ...others.filter(({ value }) => !matched.some((it) => it.value === value))];
}

function matching(options: readonly ComboboxOption[], typed: string): readonly ComboboxOption[] {
  const wanted = typed.trim().toLowerCase();
  const found = options.filter(({ label, value, detail }) =>
    `${label} ${value} ${detail ?? ''}`.toLowerCase().includes(wanted),
  );
  return found.slice(0, MOST_SHOWN);
}
