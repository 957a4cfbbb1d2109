import '../css/shown-once.css';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { PublicKey } from '../../client/api.generated.ts';
import { ASSISTANTS, useNamed } from '../named.ts';
import { useClient } from '../session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { showToast } from '../ui/toasts.tsx';
import { usePages } from '../use-pages.ts';
import { PublicKeyDialog } from './public-key-dialog.tsx';
import { ShareDialog } from './share-dialog.tsx';

type Asked =
  | { readonly act: 'create' }
  | { readonly act: 'change' | 'remove' | 'share'; readonly of: PublicKey };

/** Public keys: create, put on a page, share, change, remove. */
export function PublicKeysPage() {
  const client = useClient();
  const keys = usePages<PublicKey>(
    (query, signal) => client.open('listPublicKeys', { query, ...(signal ? { signal } : {}) }),
    [],
  );
  const assistants = useNamed(
    ASSISTANTS,
    keys.rows?.map(({ assistantId }) => assistantId),
  );
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);

  const create = (
    <Button
      id="new-public-key"
      kind="primary"
      icon="plus"
      onClick={() => setAsked({ act: 'create' })}
    >
      New public key
    </Button>
  );
  const isEmpty = keys.rows?.length === 0;

  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title="Public keys"
        lead="A public key adds a call button to a web page. It can only start calls with one assistant, within its limits."
        actions={!isEmpty && create}
      />
      {keys.error !== undefined && (
        <ErrorState
          title="The public keys could not be loaded"
          error={keys.error}
          onRetry={keys.reload}
        />
      )}
      {(keys.rows || keys.error === undefined) && (
        <DataTable
          id="public-keys"
          label="Public keys"
          empty={
            <EmptyState icon="link" title="No public keys yet" action={create}>
              With a public key, visitors of your site talk to an assistant: one script tag and one
              element. You can share a demo page, too.
            </EmptyState>
          }
          columns={[
            { title: 'Name', cell: ({ name }) => name },
            {
              title: 'Assistant',
              cell: ({ assistantId }) => (
                <Link href={`/assistants/${assistantId}`}>
                  {assistants.of(assistantId)?.label ?? assistantId}
                </Link>
              ),
            },
            {
              title: 'Sites',
              cell: ({ origins, demo }) => (
                <span class="row">
                  {origins.map((origin) => (
                    <span key={origin}>{URL.parse(origin)?.host ?? origin}</span>
                  ))}
                  {demo && <Badge tone="info">demo page</Badge>}
                </span>
              ),
            },
            {
              title: 'Limits',
              cell: ({ callsAtOnce, minutesPerDay }) =>
                `${callsAtOnce} at once, ${minutesPerDay} min a day`,
            },
            {
              title: '',
              end: true,
              cell: (of) => (
                <span class="row">
                  <Button
                    kind="quiet"
                    small
                    aria-label={`Use ${of.name}`}
                    onClick={() => setAsked({ act: 'share', of })}
                  >
                    Use
                  </Button>
                  <Button
                    kind="quiet"
                    small
                    aria-label={`Change ${of.name}`}
                    onClick={() => setAsked({ act: 'change', of })}
                  >
                    Change
                  </Button>
                  <Button
                    kind="quiet"
                    small
                    aria-label={`Remove ${of.name}`}
                    onClick={() => setAsked({ act: 'remove', of })}
                  >
                    Remove
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
      {(asked?.act === 'create' || asked?.act === 'change') && (
        <PublicKeyDialog
          {...(asked.act === 'change' ? { of: asked.of } : {})}
          onSaved={(saved) => {
            keys.reload();
            // What was created is to be used.
            setAsked(asked.act === 'create' ? { act: 'share', of: saved } : undefined);
          }}
          onClose={() => setAsked((now) => (now?.act === 'share' ? now : undefined))}
        />
      )}
      {asked?.act === 'share' && <ShareDialog of={asked.of} onClose={close} />}
      {asked?.act === 'remove' && (
        <ConfirmDialog
          title={`Remove “${asked.of.name}”?`}
          action="Remove"
          onConfirm={async () => {
            await client.call('deletePublicKey', { path: { id: asked.of.id } });
            showToast(`“${asked.of.name}” was removed.`);
            keys.reload();
          }}
          onClose={close}
        >
          <p>
            Pages that have this key begin no more calls; live calls go on. This cannot be undone.
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}
