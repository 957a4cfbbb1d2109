import './versions.css';
import { useMemo, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { AssistantVersion } from '../../client/api.generated.ts';
import type { PageProps } from '../lazy-page.tsx';
import { may, useClient } from '../session.ts';
import { ScoresChart } from '../tests/scores-chart.tsx';
import { scoresOf, type VersionScore } from '../tests/test-names.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useLoad } from '../use-load.ts';
import { LabelDialog } from './label-dialog.tsx';
import { PublishGate } from './publish-gate.tsx';
import { showWarnings } from './save-assistant.ts';
import { VersionChanges } from './version-changes.tsx';

type Asked = {
  readonly act: 'changes' | 'publish' | 'label';
  readonly version: AssistantVersion;
};

/** Runs of tests that scores are read from. */
const RUNS = 200;

/** Every save of an assistant: what it changed, who made it; publish, restore, label. */
export function VersionsPage({ params: { id } }: PageProps<'id'>) {
  const client = useClient();
  const assistant = useLoad(
    (signal) => client.call('getAssistant', { path: { id }, signal }),
    [client, id],
  );
  const versions = useLoad(
    (signal) => client.call('listAssistantVersions', { path: { id }, signal }),
    [client, id],
  );
  const [asked, setAsked] = useState<Asked>();
  const gate = useLoad(
    (signal) => client.call('getPublishGate', { path: { id }, signal }),
    [client, id],
  );
  const runs = useLoad(
    (signal) => client.call('listTestRuns', { query: { assistantId: id, limit: RUNS }, signal }),
    [client, id],
  );
  const scores = useMemo(() => scoresOf(runs.data ?? []), [runs.data]);
  const close = (): void => setAsked(undefined);
  const error = assistant.error ?? versions.error;
  const published = versions.data?.find((version) => version.published)?.version ?? 0;
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title={assistant.data ? `Versions of ${assistant.data.name}` : 'Versions'}
        back={{ href: `/assistants/${id}`, name: 'Back to the assistant' }}
        lead="Every save is a version. Calls use the published one, unless a number or a request names another."
      />
      {gate.data && (
        <PublishGate
          assistantId={id}
          requireTests={gate.data.requireTests}
          onChanged={(requireTests) => gate.set({ requireTests })}
        />
      )}
      {error !== undefined && (
        <ErrorState
          title="The versions could not be loaded"
          error={error}
          onRetry={versions.reload}
        />
      )}
      {error === undefined && (
        <DataTable
          id="versions"
          label="Versions"
          rows={versions.data}
          rowKey={({ version }) => String(version)}
          columns={[
            { title: 'Version', cell: ({ version }) => <span class="numeric">{version}</span> },
            {
              title: 'State',
              cell: (version) => <State version={version} published={published} />,
            },
            {
              title: 'Tests',
              cell: ({ version }) => (
                <Score score={scores.find((score) => score.version === version)} />
              ),
            },
            { title: 'Saved', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
            { title: 'By', cell: ({ author }) => author?.name ?? 'the service' },
            { title: 'Note', cell: ({ note }) => note },
            {
              title: '',
              end: true,
              cell: (version) => (
                <Acts
                  version={version}
                  published={published}
                  onAsk={(act) => setAsked({ act, version })}
                />
              ),
            },
          ]}
        />
      )}
      {scores.length > 0 && <ScoresChart scores={scores} />}
      {asked?.act === 'changes' && (
        <VersionChanges assistantId={id} version={asked.version.version} onClose={close} />
      )}
      {asked?.act === 'label' && (
        <LabelDialog
          assistantId={id}
          version={asked.version}
          onChanged={versions.reload}
          onClose={close}
        />
      )}
      {asked?.act === 'publish' && (
        <ConfirmDialog
          title={`Publish version ${asked.version.version}?`}
          action="Publish"
          onConfirm={async () => {
            const path = { id, version: String(asked.version.version) };
            const { warnings } = await client.call('publishAssistantVersion', { path });
            showWarnings(warnings);
            showToast(`Version ${path.version} is published.`);
            versions.reload();
          }}
          onClose={close}
        >
          <p>
            New calls use it from now on. Live calls go on with the version that they began with. No
            version is lost.
          </p>
          {gate.data?.requireTests && (
            <p>
              Its <Link href={`/tests?assistantId=${id}`}>tests</Link> must have passed with it.
            </p>
          )}
        </ConfirmDialog>
      )}
    </section>
  );
}

function Score({ score }: { readonly score: VersionScore | undefined }) {
  if (!score) return <span class="soft">not run</span>;
  const { passed, tests } = score;
  return (
    <Badge tone={passed === tests ? 'good' : 'bad'}>
      {passed} of {tests}
    </Badge>
  );
}

interface StateProps {
  readonly version: AssistantVersion;
  readonly published: number;
}

function State({ version, published }: StateProps) {
  return (
    <span class="row">
      {version.published && <Badge tone="good">published</Badge>}
      {version.version > published && <Badge tone="info">draft</Badge>}
      {version.labels.map((label) => (
        <Badge key={label}>{label}</Badge>
      ))}
    </span>
  );
}

function Acts({ version, published, onAsk }: StateProps & { onAsk: (act: Asked['act']) => void }) {
  const { version: number, assistantId } = version;
  const verb = number < published ? 'Restore' : 'Publish';
  return (
    <span class="row versions-acts">
      <Button
        small
        kind="quiet"
        aria-label={`Changes of version ${number}`}
        onClick={() => onAsk('changes')}
      >
        Changes
      </Button>
      {may('builder') && (
        <>
          <LinkButton
            small
            kind="quiet"
            href={`/talk?assistantId=${assistantId}&assistantVersion=${number}`}
          >
            Talk
          </LinkButton>
          <Button
            small
            kind="quiet"
            aria-label={`Label version ${number}`}
            onClick={() => onAsk('label')}
          >
            Label
          </Button>
          {!version.published && (
            <Button small aria-label={`${verb} version ${number}`} onClick={() => onAsk('publish')}>
              {verb}
            </Button>
          )}
        </>
      )}
    </span>
  );
}
