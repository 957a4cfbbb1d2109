import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { lastAddress } from '../router.ts';
import { useTitle } from '../use-title.ts';

interface PageHeaderProps {
  readonly title: string;
  /** One sentence: what is here, and what for. */
  readonly lead?: ComponentChildren;
  /** The list this page belongs to; one comes back to it as it was left. */
  readonly back?: { readonly href: string; readonly name: string };
  /** The primary action last. */
  readonly actions?: ComponentChildren;
}

/** A page's head: its title, which is the document's too and takes the focus when one comes here. */
export function PageHeader({ title, lead, back, actions }: PageHeaderProps) {
  useTitle(title);
  return (
    <header class="page-header">
      <div class="page-header-text">
        {back && (
          <Link class="page-back" href={lastAddress(back.href)}>
            ← {back.name}
          </Link>
        )}
        <h1 id="page-title" class="page-title" tabIndex={-1}>
          {title}
        </h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {actions && <div class="page-actions">{actions}</div>}
    </header>
  );
}
