import * as menu from '@zag-js/menu';
import { normalizeProps, useMachine } from '@zag-js/preact';
import { useId } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

interface MenuItem {
  readonly value: string;
  readonly label: string;
  /** A second line. */
  readonly detail?: string;
  readonly icon?: IconName;
  /** Something that cannot be undone. */
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
}

interface MenuProps {
  /** What the button is for, such as “Actions for Reception”. */
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** Stands on the button in place of the dots. */
  readonly text?: string;
  /** Beside a field, where a whole button would be too much. */
  readonly small?: boolean;
  readonly disabled?: boolean;
}

/** A button with three dots, and what can be done behind it. */
export function Menu({ label, items, text, small, disabled: resting }: MenuProps) {
  const service = useMachine(menu.machine, {
    id: useId(),
    'aria-label': label,
    // Fixed, where it stands in the page: a dialog's own stays within it, above everything.
    positioning: { placement: 'bottom-end', strategy: 'fixed' },
    onSelect: ({ value }) => items.find((item) => item.value === value)?.onSelect(),
  });
  const api = menu.connect(service, normalizeProps);
  return (
    <>
      <button
        {...api.getTriggerProps()}
        class={
          text === undefined
            ? 'button quiet small icon-only'
            : `button ${small ? 'quiet small' : 'secondary'}`
        }
        aria-label={label}
        title={label}
        disabled={resting}
      >
        {text}
        <Icon name={text === undefined ? 'more' : 'down'} />
      </button>
      {api.open && (
        <div {...api.getPositionerProps()}>
          <div {...api.getContentProps()} class="menu">
            {items.map(({ value, label: words, detail, icon, danger, disabled }) => (
              <div
                key={value}
                {...api.getItemProps({ value, disabled: disabled ?? false })}
                class="menu-item"
                data-tone={danger ? 'bad' : undefined}
              >
                {icon && <Icon name={icon} />}
                <span>
                  {words}
                  {detail && <span class="option-detail menu-detail">{detail}</span>}
                </span>
              </div>
            ))}
          </div>
        </div>
      )}
    </>
  );
}
