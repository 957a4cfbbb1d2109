import { EmptyState } from '../ui/empty-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';

export function NotFound() {
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader title="There is no such page" />
      <EmptyState
        title="Nothing is here"
        action={<LinkButton href="/">Go to the overview</LinkButton>}
      >
        It may have been moved or deleted, or the address is mistyped.
      </EmptyState>
    </section>
  );
}
