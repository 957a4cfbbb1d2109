import './tests.css';
import '../form/form.css';
import { useEffect, useState } from 'preact/hooks';
import { fieldFaults } from '../field-faults.ts';
import { SaveBar } from '../form/save-bar.tsx';
import { navigate, useQuery } from '../router.ts';
import { useClient } from '../session.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useAction } from '../use-action.ts';
import { useUnsavedGuard } from '../use-leaving-guard.ts';
import { useLoad } from '../use-load.ts';
import { Refusal, type SuiteDraft, SuiteForm } from './suite-form.tsx';

const EXAMPLE = `tests:
  - name: A greeting
    turns:
      - say: Hello, who is there?
        expect:
          - answerWithinMs: 2500
`;

/** Tests that are not stored yet: an example, or a call as a test. */
export function NewSuitePage() {
  const client = useClient();
  const [query] = useQuery();
  const callId = query.get('call');
  const assistantId = query.get('assistantId') ?? '';
  const begun = useLoad<SuiteDraft>(
    async (signal) => {
      const plain = { title: '', assistantId, nightly: false, spoken: undefined, source: EXAMPLE };
      if (callId === null) return plain;
      const path = { id: callId };
      const [{ source }, call] = await Promise.all([
        client.call('getCallAsTest', { path, signal }),
        client.call('getCall', { path, signal }),
      ]);
      const title = `Call of ${call.startAt.slice(0, 10)}`;
      return { ...plain, title, source, assistantId: call.assistantId ?? '' };
    },
    [client, callId, assistantId],
  );
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title="New tests"
        back={
          callId === null
            ? { href: '/tests', name: 'Tests' }
            : { href: `/calls/${callId}`, name: 'Call' }
        }
        lead={
          callId === null
            ? undefined
            : 'What the caller said and what tools answered in this call. Review the expectations: they record what happened, not what should have happened.'
        }
      />
      {begun.error !== undefined && (
        <ErrorState
          title="The call could not be loaded"
          error={begun.error}
          onRetry={begun.reload}
        />
      )}
      {begun.data && <NewSuite begun={begun.data} />}
      {!begun.data && begun.error === undefined && (
        <div class="late">
          <Skeleton lines={8} />
        </div>
      )}
    </section>
  );
}

function NewSuite({ begun }: { readonly begun: SuiteDraft }) {
  const client = useClient();
  const [draft, setDraft] = useState(begun);
  const [made, setMade] = useState<string>();
  useUnsavedGuard(draft !== begun && made === undefined);
  // After the guard is gone.
  useEffect(() => {
    if (made !== undefined) navigate(`/tests/${made}`, { replace: true });
  }, [made]);
  const create = useAction(async () => {
    const { assistantId, spoken, ...fields } = draft;
    const body = {
      ...fields,
      ...(assistantId === '' ? {} : { assistantId }),
      ...(spoken ? { spoken } : {}),
    };
    setMade((await client.call('createTestSuite', { body })).id);
  });
  const faults = fieldFaults(create.error);
  return (
    <>
      <SuiteForm draft={draft} onChange={setDraft} faults={faults} />
      <Refusal error={create.error} shown={Object.keys(faults)} />
      <SaveBar
        changes={0}
        create="Create tests"
        busy={create.busy}
        onSave={() => void create.run()}
        onDiscard={() => setDraft(begun)}
      />
    </>
  );
}
