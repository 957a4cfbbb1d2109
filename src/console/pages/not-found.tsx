import { EmptyState } from '../ui/empty-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';

export function NotFound() {
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader title="Page not found" />
      <EmptyState
        title="Page not found"
        action={<LinkButton href="/">Go to the overview</LinkButton>}
      >
        It may have been moved or deleted, or the address has a typing error.
      </EmptyState>
    </section>
  );
}
