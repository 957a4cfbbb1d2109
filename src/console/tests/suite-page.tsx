import './tests.css';
import '../form/form.css';
import { useState } from 'preact/hooks';
import type { TestSuite } from '../../client/api.generated.ts';
import type { Client } from '../../client/client.ts';
import { fieldFaults } from '../field-faults.ts';
import { SaveBar } from '../form/save-bar.tsx';
import type { PageProps } from '../lazy-page.tsx';
import { navigate } from '../router.ts';
import { may, useClient } from '../session.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Menu } from '../ui/menu.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../use-action.ts';
import { useUnsavedGuard } from '../use-leaving-guard.ts';
import { useLoad } from '../use-load.ts';
import { draftOf, Refusal, SuiteForm } from './suite-form.tsx';
import { SuiteRuns } from './suite-runs.tsx';

const BACK = { href: '/tests', name: 'Tests' };

interface StoredSuite {
  readonly suite: TestSuite;
  readonly tag: string;
}

/** One suite of tests: its text, its runs and their results. */
export function SuitePage({ params: { id } }: PageProps<'id'>) {
  const client = useClient();
  const read = useLoad(
    async (signal) => stored(await client.open('getTestSuite', { path: { id }, signal })),
    [client, id],
  );
  if (read.data?.suite.id === id) return <Suite key={id} initial={read.data} />;
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader title="Tests" back={BACK} />
      {read.error === undefined ? (
        <div class="late">
          <Skeleton lines={8} />
        </div>
      ) : (
        <ErrorState
          title="The tests could not be loaded"
          error={read.error}
          onRetry={read.reload}
        />
      )}
    </section>
  );
}

function Suite({ initial }: { readonly initial: StoredSuite }) {
  const client = useClient();
  const [{ suite, tag }, setStored] = useState(initial);
  const [draft, setDraft] = useState(() => draftOf(suite));
  const [leaving, setLeaving] = useState(false);
  const kept = draftOf(suite);
  const changed = (Object.keys(kept) as (keyof typeof kept)[]).filter(
    (field) => JSON.stringify(kept[field]) !== JSON.stringify(draft[field]),
  );
  useUnsavedGuard(changed.length > 0);
  const save = useAction(async () => {
    const saved = await patched(client, { suite, tag }, draft);
    setStored(saved);
    setDraft(draftOf(saved.suite));
  });
  const faults = fieldFaults(save.error);
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title={suite.title}
        back={BACK}
        lead={suite.tests === 1 ? '1 test' : `${suite.tests} tests`}
        actions={
          may('builder') && (
            <Menu
              label={`Actions for “${suite.title}”`}
              items={[
                {
                  value: 'delete',
                  label: 'Delete …',
                  icon: 'trash',
                  danger: true,
                  onSelect: () => setLeaving(true),
                },
              ]}
            />
          )
        }
      />
      <SuiteForm draft={draft} onChange={setDraft} faults={faults} />
      <Refusal error={save.error} shown={Object.keys(faults)} />
      <SuiteRuns
        suite={suite}
        unsaved={changed.length > 0}
        onBeforeRun={async () => changed.length === 0 || (await save.run())}
      />
      <SaveBar
        changes={changed.length}
        busy={save.busy}
        onSave={() => void save.run()}
        onDiscard={() => setDraft(kept)}
      />
      {leaving && (
        <ConfirmDialog
          title={`Delete “${suite.title}”?`}
          action="Delete"
          onConfirm={async () => {
            await client.call('deleteTestSuite', { path: { id: suite.id } });
            showToast(`“${suite.title}” was deleted.`);
            navigate('/tests', { replace: true });
          }}
          onClose={() => setLeaving(false)}
        >
          <p>The results of its runs are deleted with it. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

/** Rejected with 412 if somebody else has changed the suite meanwhile. */
async function patched(
  client: Client,
  { suite: { id }, tag }: StoredSuite,
  draft: ReturnType<typeof draftOf>,
): Promise<StoredSuite> {
  const body = {
    ...draft,
    assistantId: draft.assistantId === '' ? null : draft.assistantId,
    spoken: draft.spoken ?? null,
  };
  return stored(await client.open('updateTestSuite', { path: { id }, body, ifMatch: tag }));
}

async function stored(response: Response): Promise<StoredSuite> {
  const suite = (await response.json()) as TestSuite;
  return { suite, tag: response.headers.get('etag') ?? '' };
}
