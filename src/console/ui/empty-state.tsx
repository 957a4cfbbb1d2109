import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface EmptyStateProps {
  readonly icon?: IconName;
  readonly title: string;
  /** Description of what will be here. */
  readonly children: ComponentChildren;
  /** The one action to start with. */
  readonly action?: ComponentChildren;
}

/** Shown where there is no data yet: what will be here and how to create it. */
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
