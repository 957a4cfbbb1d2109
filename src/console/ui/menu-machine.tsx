import * as menu from '@zag-js/menu';
import { normalizeProps, useMachine } from '@zag-js/preact';
import { useId } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { MenuButton, type MenuProps } from './menu-button.tsx';

/** The menu itself; `menu.tsx` loads it when the button is used. */
export function MenuMachine(props: MenuProps & { readonly id: string }) {
  const { label, items } = props;
  const service = useMachine(menu.machine, {
    id: useId(),
    ids: { trigger: props.id },
    'aria-label': label,
    // Rendered in place with fixed positioning, so that inside a dialog it stays in the dialog's top layer.
    positioning: { placement: 'bottom-end', strategy: 'fixed' },
    onSelect: ({ value }) => items.find((item) => item.value === value)?.onSelect(),
  });
  const api = menu.connect(service, normalizeProps);
  return (
    <>
      <MenuButton {...props} wiring={api.getTriggerProps()} />
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
