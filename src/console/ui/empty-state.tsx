import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface EmptyStateProps {
  readonly icon?: IconName;
  readonly title: string;
  /** What this is for. */
  readonly children: ComponentChildren;
  /** The one thing to do about it. */
  readonly action?: ComponentChildren;
}

/** Where there is nothing yet: what would be here, and how it comes. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div class="empty-state">
      {icon && <Icon name={icon} />}
      <h2>{title}</h2>
      <p>{children}</p>
      {action && <div class="row">{action}</div>}
    </div>
  );
}
