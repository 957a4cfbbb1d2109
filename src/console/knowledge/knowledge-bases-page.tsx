import './knowledge.css';
import { useState } from 'preact/hooks';
import type { KnowledgeBase } from '../../client/api.generated.ts';
import { loadAllPages } from '../all-pages.ts';
import { useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { useLoad } from '../use-load.ts';
import { NewKnowledgeBaseDialog } from './new-knowledge-base-dialog.tsx';
import { TrainingBadge } from './training-badge.tsx';
import { isUnderway } from './training-status.ts';
import { useTraining } from './use-training.ts';

/** List of knowledge bases. */
export function KnowledgeBasesPage() {
  const client = useClient();
  const bases = useTraining(
    async (signal) => (await client.call('listKnowledgeBases', { signal })).knowledge_bases,
    [client],
    (list) => list.some(isUnderway),
  );
  const assistants = useLoad((signal) => loadAllPages(client, 'listAssistants', signal), [client]);
  const [isMaking, setIsMaking] = useState(false);
  const usersOf = (base: KnowledgeBase): string => {
    const users = assistants.data?.filter((it) => it.assistantKnowledgeBaseIds.includes(base.id));
    return users?.map(({ name }) => name).join(', ') || '–';
  };
  const make = (
    <Button kind="primary" icon="plus" onClick={() => setIsMaking(true)}>
      New knowledge base
    </Button>
  );
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title="Knowledge bases"
        lead="Questions and answers, files and web pages that assistants search during calls."
        actions={bases.data?.length ? make : undefined}
      />
      {bases.error !== undefined && bases.data === undefined ? (
        <ErrorState
          title="The knowledge bases could not be loaded"
          error={bases.error}
          onRetry={bases.reload}
        />
      ) : (
        <DataTable
          id="knowledge-bases"
          label="Knowledge bases"
          columns={[
            { title: 'Title', cell: (base) => base.title },
            { title: 'Status', cell: (base) => <TrainingBadge base={base} /> },
            { title: 'Files and sites', cell: sourcesText },
            { title: 'Used by', cell: usersOf },
            { title: 'Changed', cell: (base) => <RelativeTime at={base.updatedAt} /> },
          ]}
          rows={bases.data}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/knowledge-bases/${id}`}
          empty={
            <EmptyState icon="knowledge" title="Create a knowledge base" action={make}>
              Write down the questions that callers ask, or add the files and web pages that have
              the answers. An assistant that is given the knowledge base looks them up while it
              speaks.
            </EmptyState>
          }
        />
      )}
      {isMaking && <NewKnowledgeBaseDialog onClose={() => setIsMaking(false)} />}
    </section>
  );
}

function sourcesText({ files, docs }: KnowledgeBase): string {
  const counts = [counted(files.length, 'file'), counted(docs.length, 'web site')];
  return counts.filter((it) => it !== '').join(', ') || '–';
}

function counted(count: number, what: string): string {
  if (count === 0) return '';
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}
