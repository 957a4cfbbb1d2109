import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon' | 'class'> {
  /** A page has one primary button. @defaultValue secondary */
  readonly kind?: 'primary' | 'secondary' | 'quiet' | 'danger';
  readonly icon?: IconName;
  /** In progress: the button keeps its size and focus and ignores clicks. */
  readonly busy?: boolean;
  readonly small?: boolean;
  readonly children?: ComponentChildren;
}

/** A button. Without children it shows only its icon and needs an `aria-label`. */
export function Button(props: ButtonProps) {
  const { kind = 'secondary', icon, busy = false, small, children, onClick, ...rest } = props;
  const looks = [kind, small && 'small', !children && 'icon-only'].filter(Boolean).join(' ');
  return (
    <button
      type="button"
      {...rest}
      class={`button ${looks}`}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
    >
      <span class="button-label">
        {icon && <Icon name={icon} />}
        {children}
      </span>
    </button>
  );
}
