import { useState } from 'preact/hooks';
import type { ApiKey, NewApiKey } from '../../client/api.generated.ts';
import { loadAllPages } from '../all-pages.ts';
import { isOwnKey, useClient } from '../session.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Moment } from '../ui/moment.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { useLoad } from '../use-load.ts';
import { NewKeyForm } from './new-key-form.tsx';

/** The keys that let programs and people in: made, shown once, revoked. */
export function ApiKeys() {
  const client = useClient();
  const keys = useLoad((signal) => loadAllPages(client, 'listApiKeys', signal), [client]);
  const [made, setMade] = useState<NewApiKey>();
  const [leaving, setLeaving] = useState<ApiKey>();

  const revoke = async ({ id }: ApiKey): Promise<void> => {
    await client.call('revokeApiKey', { path: { id } });
    if (made?.id === id) setMade(undefined);
    keys.reload();
  };

  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title="API keys"
        lead="Whoever holds a key may do everything here. Give each program its own."
      />
      <NewKeyForm
        onMade={(key) => {
          setMade(key);
          keys.reload();
        }}
      />
      <div aria-live="polite">{made && <MadeKey made={made} />}</div>
      {keys.error !== undefined && (
        <ErrorState title="The keys could not be read" error={keys.error} onRetry={keys.reload} />
      )}
      {keys.data === undefined && keys.loading && <p class="help">Reading the keys …</p>}
      {keys.data && <KeyTable keys={keys.data} onRevoke={setLeaving} />}
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
              : 'Whatever uses this key is refused from now on. '}
            It cannot be undone.
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function MadeKey({ made }: { readonly made: NewApiKey }) {
  return (
    <div id="made-key" class="callout" data-tone="good">
      <p>
        <strong>“{made.name}” is made.</strong> Copy the key now: it is not shown again.
      </p>
      <code>{made.key}</code>
      <CopyButton key={made.id} text={made.key} />
    </div>
  );
}

interface KeyTableProps {
  readonly keys: readonly ApiKey[];
  readonly onRevoke: (key: ApiKey) => void;
}

function KeyTable({ keys, onRevoke }: KeyTableProps) {
  return (
    <table id="api-keys" class="table">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Begins with</th>
          <th scope="col">Made</th>
          <th scope="col">Action</th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <th scope="row">
              {key.name} {isOwnKey(key) && <span class="badge">this session</span>}
            </th>
            <td data-label="Begins with">
              <code>{key.prefix}…</code>
            </td>
            <td data-label="Made">
              <Moment at={key.createdAt} />
            </td>
            <td>
              <button
                type="button"
                class="button quiet small"
                aria-label={`Revoke ${key.name}`}
                onClick={() => onRevoke(key)}
              >
                Revoke
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
