import './knowledge.css';
import { useEffect, useState } from 'preact/hooks';
import type { KnowledgeBase } from '../../client/api.generated.ts';
import type { PageProps } from '../lazy-page.tsx';
import { navigate, useQuery } from '../router.ts';
import { may, useClient } from '../session.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { useUnsavedGuard } from '../use-leaving-guard.ts';
import { useLoad } from '../use-load.ts';
import { AssistantsPanel } from './assistants-panel.tsx';
import { BaseActions } from './base-actions.tsx';
import { type ChangeBase, changeBase } from './change-base.ts';
import { addRows, countChanges } from './faq-draft.ts';
import { FaqPanel } from './faq-panel.tsx';
import { FilesPanel } from './files-panel.tsx';
import { SearchPanel } from './search-panel.tsx';
import { TrainingNote } from './training-note.tsx';
import { isUnderway } from './training-status.ts';
import { UnansweredPanel } from './unanswered-panel.tsx';
import { isUploading } from './upload.ts';
import { useFaq } from './use-faq.ts';
import { useTraining } from './use-training.ts';
import { useUploads } from './use-uploads.ts';
import { WebPanel } from './web-panel.tsx';

const BACK = { href: '/knowledge-bases', name: 'Knowledge bases' };

/** Page of one knowledge base: sources, training status and search. */
export function KnowledgeBasePage({ params: { id } }: PageProps<'id'>) {
  const client = useClient();
  const base = useTraining(
    (signal) => client.call('getKnowledgeBase', { path: { id }, signal }),
    [client, id],
    isUnderway,
  );
  if (base.data)
    return (
      <section class="page" aria-labelledby="page-title">
        <OpenBase key={id} base={base.data} onChanged={base.set} onReload={base.reload} />
      </section>
    );
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader title="Knowledge base" back={BACK} />
      {base.error === undefined ? (
        <div class="late">
          <Skeleton lines={4} />
        </div>
      ) : (
        <ErrorState
          title="The knowledge base could not be loaded"
          error={base.error}
          onRetry={base.reload}
        />
      )}
    </section>
  );
}

interface OpenBaseProps {
  readonly base: KnowledgeBase;
  readonly onChanged: (base: KnowledgeBase) => void;
  readonly onReload: () => void;
}

function OpenBase({ base, onChanged, onReload }: OpenBaseProps) {
  const client = useClient();
  const { id } = base;
  const [query, changeQuery] = useQuery();
  const [added, setAdded] = useState(0);
  const [isGone, setIsGone] = useState(false);
  const change: ChangeBase = async (by) => onChanged(await changeBase(client, id, by));
  const uploads = useUploads(async (file) => {
    await change((current) => ({ ...current, files: [...current.files, { id: file.id }] }));
    setAdded((count) => count + 1);
  });
  const faq = useFaq(id, onReload);
  const addQuestion = (question: string): void => {
    faq.edit((now) => addRows(now, [{ question }]));
    changeQuery({ tab: undefined });
  };
  const uses = useLoad(
    (signal) => client.call('getKnowledgeBaseUses', { query: { ids: id }, signal }),
    [client, id],
  );
  const users = uses.data?.[0]?.assistants;
  const unsaved = faq.draft ? countChanges(faq.draft) : 0;
  // Edits and uploads continue behind the other tabs and are lost when the page closes.
  useUnsavedGuard(!isGone && (unsaved > 0 || uploads.items.some(isUploading)));
  // Navigate after the unsaved-changes guard is removed: nothing of a deleted base needs saving.
  useEffect(() => {
    if (isGone) navigate('/knowledge-bases', { replace: true });
  }, [isGone]);
  return (
    <>
      <PageHeader
        title={base.title}
        lead={base.description || undefined}
        back={BACK}
        actions={
          <BaseActions
            base={base}
            onChanged={onChanged}
            onReload={onReload}
            onDeleted={() => setIsGone(true)}
          />
        }
      />
      <TrainingNote base={base} users={users} onGive={() => changeQuery({ tab: 'assistants' })} />
      <Tabs
        label="Parts of the knowledge base"
        value={query.get('tab') ?? 'faq'}
        onChange={(tab) => changeQuery({ tab })}
        items={[
          {
            value: 'faq',
            label: `Questions (${faq.draft?.rows.length ?? '…'})`,
            content: () => <FaqPanel editor={faq} title={base.title} />,
          },
          {
            value: 'files',
            label: `Files (${base.files.length})`,
            content: () => (
              <FilesPanel base={base} uploads={uploads} filesAdded={added} change={change} />
            ),
          },
          {
            value: 'web',
            label: `Web sites (${base.docs.length})`,
            content: () => <WebPanel base={base} change={change} />,
          },
          {
            value: 'search',
            label: 'Test search',
            content: () => <SearchPanel base={base} onAsk={addQuestion} />,
          },
          ...(may('reviewer')
            ? [
                {
                  value: 'unanswered',
                  label: 'Unanswered',
                  content: () => <UnansweredPanel base={base} onAnswer={addQuestion} />,
                },
              ]
            : []),
          {
            value: 'assistants',
            label: `Used by (${users ?? '…'})`,
            content: () => <AssistantsPanel base={base} onChanged={uses.reload} />,
          },
        ]}
      />
    </>
  );
}
