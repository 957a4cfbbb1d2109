import type { PageProps } from '../lazy-page.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';

/** Not written yet: the API has all of it. */
export function CallPage({ params }: PageProps<'id'>) {
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader title="Call" lead={params.id} />
      <EmptyState title="This page is being written">
        The API does all of it already: see the API reference.
      </EmptyState>
    </section>
  );
}
