import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { Icon, type IconName } from './icon.tsx';

interface LinkButtonProps {
  readonly href: string;
  /** @defaultValue secondary */
  readonly kind?: 'primary' | 'secondary' | 'quiet';
  readonly icon?: IconName;
  readonly small?: boolean;
  readonly children: ComponentChildren;
}

/** A link to a page of the console that looks like a button. */
export function LinkButton({ href, kind = 'secondary', icon, small, children }: LinkButtonProps) {
  return (
    <Link href={href} class={`button ${kind}${small ? ' small' : ''}`}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  );
}
