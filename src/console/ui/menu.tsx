import * as menu from '@zag-js/menu';
import { normalizeProps, useMachine } from '@zag-js/preact';
import { useId } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

interface MenuItem {
  readonly value: string;
  readonly label: string;
  /** Shown as a second line. */
  readonly detail?: string;
  readonly icon?: IconName;
  /** Marks an irreversible action. */
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
}

interface MenuProps {
  /** Label of the button, such as “Actions for Reception”. */
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** Shown on the button instead of the dots. */
  readonly text?: string;
  /** Small size, for use beside a field. */
  readonly small?: boolean;
  readonly disabled?: boolean;
}

/** A menu that opens from a button with three dots. */
export function Menu({ label, items, text, small, disabled: resting }: MenuProps) {
  const service = useMachine(menu.machine, {
    id: useId(),
    'aria-label': label,
    // Rendered in place with fixed positioning, so that inside a dialog it stays in the dialog's top layer.
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
