import './knowledge.css';
import { useState } from 'preact/hooks';
import type { KnowledgeBase, Operations } from '../../client/api.generated.ts';
import { useQuery } from '../router.ts';
import { useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { useCounted, usePages } from '../use-pages.ts';
import { NewKnowledgeBaseDialog } from './new-knowledge-base-dialog.tsx';
import { TrainingBadge } from './training-badge.tsx';
import { isUnderway } from './training-status.ts';
import { useTraining } from './use-training.ts';

const TYPING_MS = 300;

/** List of knowledge bases. */
export function KnowledgeBasesPage() {
  const client = useClient();
  const [query, change] = useQuery();
  const wanted = query.get('search') ?? '';
  const bases = usePages<KnowledgeBase>(
    (page, signal) =>
      client.open('listKnowledgeBases', {
        query: { ...page, ...(wanted === '' ? {} : { search: wanted }) },
        ...(signal ? { signal } : {}),
      }),
    [wanted],
    {
      itemsOf: (body) => (body as Operations['listKnowledgeBases']['response']).knowledge_bases,
      by: (load, deps) => useTraining(load, deps, ({ items }) => items.some(isUnderway)),
    },
  );
  const uses = useCounted(
    bases.rows?.map(({ id }) => id),
    (ids, signal) => client.call('getKnowledgeBaseUses', { query: { ids }, signal }),
    ({ id }) => id,
  );
  const [isMaking, setIsMaking] = useState(false);
  const usersOf = (base: KnowledgeBase): string => {
    const used = uses?.get(base.id);
    if (!used) return '…';
    const { assistants, firstAssistant } = used;
    if (!firstAssistant) return '–';
    return assistants > 1
      ? `${firstAssistant.name} and ${assistants - 1} more`
      : firstAssistant.name;
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
        actions={wanted !== '' || bases.rows?.length ? make : undefined}
      />
      {(wanted !== '' || bases.rows?.length !== 0) && (
        <SearchField
          id="knowledge-bases-search"
          label="Search knowledge bases"
          placeholder="Title or description"
          value={wanted}
          onChange={(search) => change({ search })}
          pauseMs={TYPING_MS}
        />
      )}
      {bases.error !== undefined && bases.rows === undefined ? (
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
          rows={bases.rows}
          onMore={bases.more}
          loadingMore={bases.isLoadingMore}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/knowledge-bases/${id}`}
          empty={
            wanted !== '' ? (
              <EmptyState icon="search" title={`Nothing matches “${wanted}”`}>
                The search covers titles and descriptions. All words must match.
              </EmptyState>
            ) : (
              <EmptyState icon="knowledge" title="Create a knowledge base" action={make}>
                Write down the questions that callers ask, or add the files and web pages that have
                the answers. Assistants with this knowledge base search it during calls.
              </EmptyState>
            )
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
