import './assistants.css';
import '../form/form.css';
import { useApiSchema } from '../form/api-schema.ts';
import type { PageProps } from '../lazy-page.tsx';
import { useClient } from '../session.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useLoad } from '../use-load.ts';
import { AssistantEditor } from './assistant-editor.tsx';
import { VendorsProvider } from './references.ts';
import { readAssistant } from './save-assistant.ts';

/** Page of one assistant, to view and edit. */
export function AssistantPage({ params }: PageProps<'id'>) {
  const client = useClient();
  const schema = useApiSchema('AssistantInput');
  const read = useLoad((signal) => readAssistant(client, params.id, signal), [client, params.id]);
  const vendors = useLoad((signal) => client.call('listVendors', { signal }), [client]);
  const error = read.error ?? schema.error ?? vendors.error;
  const current = read.data?.record._id === params.id ? read.data : undefined;
  if (current && schema.data && vendors.data) {
    return (
      <VendorsProvider value={vendors.data.parts}>
        <AssistantEditor key={params.id} initial={current} schema={schema.data} />
      </VendorsProvider>
    );
  }
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader title="Assistant" back={{ href: '/assistants', name: 'Assistants' }} />
      {error === undefined ? (
        <div class="late">
          <Skeleton lines={6} />
        </div>
      ) : (
        <ErrorState
          title="The assistant could not be loaded"
          error={error}
          onRetry={() => {
            read.reload();
            schema.reload();
            vendors.reload();
          }}
        />
      )}
    </section>
  );
}
