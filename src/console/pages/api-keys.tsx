import '../css/shown-once.css';
import './api-keys.css';
import { useState } from 'preact/hooks';
import type { ApiKey, NewApiKey } from '../../client/api.generated.ts';
import { isOwnKey, useClient } from '../session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Moment } from '../ui/moment.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { showToast } from '../ui/toasts.tsx';
import { usePages } from '../use-pages.ts';
import { KeyDialog } from './key-dialog.tsx';

/** API keys: create, show once, change, revoke. */
export function ApiKeys() {
  const client = useClient();
  const keys = usePages<ApiKey>(
    (query, signal) => client.open('listApiKeys', { query, ...(signal ? { signal } : {}) }),
    [],
  );
  const [isMaking, setIsMaking] = useState(false);
  const [made, setMade] = useState<NewApiKey>();
  const [leaving, setLeaving] = useState<ApiKey>();
  const [changing, setChanging] = useState<ApiKey>();

  const revoke = async ({ id, name }: ApiKey): Promise<void> => {
    await client.call('revokeApiKey', { path: { id } });
    if (made?.id === id) setMade(undefined);
    showToast(`“${name}” was revoked.`);
    keys.reload();
  };

  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title="API keys"
        lead="A key’s role decides what it may do. Create one for each program, so that you can change and revoke them separately."
        actions={
          <Button id="new-key" kind="primary" icon="plus" onClick={() => setIsMaking(true)}>
            New key
          </Button>
        }
      />
      <div aria-live="polite">
        {made && <MadeKey made={made} onClose={() => setMade(undefined)} />}
      </div>
      {keys.error !== undefined && (
        <ErrorState title="The keys could not be loaded" error={keys.error} onRetry={keys.reload} />
      )}
      {(keys.rows || keys.error === undefined) && (
        <DataTable
          id="api-keys"
          label="API keys"
          columns={[
            {
              title: 'Name',
              cell: (key) => (
                <span class="row">
                  {key.name} {isOwnKey(key) && <Badge tone="info">this session</Badge>}
                </span>
              ),
            },
            { title: 'Prefix', cell: ({ prefix }) => <code>{prefix}…</code> },
            { title: 'Role', cell: ({ role }) => role },
            { title: 'Created', cell: (key) => <Origin of={key} /> },
            { title: 'Last used', cell: (key) => <LastUse of={key} /> },
            {
              title: 'Expires',
              cell: ({ expiresAt }) => (expiresAt ? <Moment at={expiresAt} /> : 'never'),
            },
            {
              title: '',
              end: true,
              cell: (key) => (
                <span class="row">
                  <Button
                    kind="quiet"
                    small
                    aria-label={`Change ${key.name}`}
                    onClick={() => setChanging(key)}
                  >
                    Change
                  </Button>
                  <Button
                    kind="quiet"
                    small
                    aria-label={`Revoke ${key.name}`}
                    onClick={() => setLeaving(key)}
                  >
                    Revoke
                  </Button>
                </span>
              ),
            },
          ]}
          rows={keys.rows}
          onMore={keys.more}
          loadingMore={keys.isLoadingMore}
          rowKey={({ id }) => id}
        />
      )}
      {isMaking && (
        <KeyDialog
          onMade={(key) => {
            setMade(key);
            keys.reload();
          }}
          onClose={() => setIsMaking(false)}
        />
      )}
      {changing && (
        <KeyDialog of={changing} onChanged={keys.reload} onClose={() => setChanging(undefined)} />
      )}
      {leaving && (
        <ConfirmDialog
          title={`Revoke “${leaving.name}”?`}
          action="Revoke"
          onConfirm={() => revoke(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          <p>
            {isOwnKey(leaving)
              ? 'You are signed in with this key: you will be signed out. '
              : 'Programs that use this key lose access. '}
            This cannot be undone.
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}

const ORIGINS: Readonly<Record<NonNullable<ApiKey['origin']>['type'], string>> = {
  'first-start': 'by the first start',
  environment: 'by API_KEY in the environment',
  'api-key': 'by another key',
  person: 'by a former member',
  operator: 'by the operator',
};

function Origin({ of: { createdAt, origin } }: { readonly of: ApiKey }) {
  return (
    <>
      <Moment at={createdAt} />
      {origin && (
        <span class="soft key-note">
          {origin.name ? `by ${origin.name}` : ORIGINS[origin.type]}
        </span>
      )}
    </>
  );
}

function LastUse({ of: { lastUsedAt, lastUsedFrom } }: { readonly of: ApiKey }) {
  if (!lastUsedAt) return <>never</>;
  return (
    <>
      <RelativeTime at={lastUsedAt} />
      {lastUsedFrom && <span class="soft key-note">from {lastUsedFrom}</span>}
    </>
  );
}

interface MadeKeyProps {
  readonly made: NewApiKey;
  readonly onClose: () => void;
}

function MadeKey({ made, onClose }: MadeKeyProps) {
  return (
    <div id="made-key">
      <Callout tone="good">
        <p>
          <strong>“{made.name}” was created.</strong> Copy the key now: it is not shown again.
        </p>
        <div class="shown-once">
          <CodeBlock key={made.id} label={`Key of ${made.name}`} text={made.key} wrap />
        </div>
        <Button small onClick={onClose}>
          Done
        </Button>
      </Callout>
    </div>
  );
}
