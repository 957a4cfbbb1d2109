import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { lastAddress } from '../router.ts';
import { useTitle } from '../use-title.ts';

interface PageHeaderProps {
  readonly title: string;
  /** One sentence about the purpose of the page. */
  readonly lead?: ComponentChildren;
  /** Link to the list this page belongs to; it restores the list as the user left it. */
  readonly back?: { readonly href: string; readonly name: string };
  /** Buttons; the primary one is last. */
  readonly actions?: ComponentChildren;
}

/** Header of a page. Its title is also the document's title and takes the focus when the page opens. */
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
