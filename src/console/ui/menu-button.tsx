import type { ButtonHTMLAttributes } from 'preact';
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

export interface MenuProps {
  /** Label of the button, such as “Actions for Reception”. */
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** Shown on the button instead of the dots. */
  readonly text?: string;
  /** Small size, for use beside a field. */
  readonly small?: boolean;
  readonly disabled?: boolean;
  /** Id of the button. @defaultValue a generated one */
  readonly id?: string;
}

interface MenuButtonProps extends Omit<MenuProps, 'items'> {
  readonly wiring: ButtonHTMLAttributes<HTMLButtonElement>;
}

/** The button that a menu opens from. */
export function MenuButton({ wiring, label, text, small, disabled }: MenuButtonProps) {
  return (
    <button
      type="button"
      {...wiring}
      class={
        text === undefined
          ? 'button quiet small icon-only'
          : `button ${small ? 'quiet small' : 'secondary'}`
      }
      aria-label={label}
      title={label}
      disabled={disabled}
    >
      {text}
      <Icon name={text === undefined ? 'more' : 'down'} />
    </button>
  );
}
