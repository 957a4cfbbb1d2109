import { MenuButton, type MenuProps } from './menu-button.tsx';
import { type RestingProps, whenUsed } from './when-used.tsx';

const OPENING_KEYS: readonly string[] = ['Enter', ' ', 'ArrowDown', 'ArrowUp'];

/** A menu that opens from a button with three dots. */
export const Menu = whenUsed<MenuProps>(
  async () => (await import('./menu-machine.tsx')).MenuMachine,
  RestingMenu,
);

function RestingMenu(props: MenuProps & RestingProps) {
  const { id, busy, onNear, onUse } = props;
  return (
    <MenuButton
      {...props}
      wiring={{
        id,
        'aria-haspopup': 'menu',
        'aria-expanded': false,
        'aria-busy': busy || undefined,
        onPointerEnter: onNear,
        onFocus: onNear,
        onClick: onUse,
        onKeyDown: (event) => {
          if (!OPENING_KEYS.includes(event.key)) return;
          event.preventDefault();
          onUse(event);
        },
      }}
    />
  );
}
