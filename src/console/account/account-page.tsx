import '../css/shown-once.css';
import './account.css';
import { useState } from 'preact/hooks';
import type { Account, Session } from '../../client/api.generated.ts';
import { ProviderButton, refusalText } from '../door/provider-button.tsx';
import { useQuery } from '../router.ts';
import { leave, useClient } from '../session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import { FactorDialog, RemoveFactorDialog } from './factor-dialog.tsx';
import { PasswordDialog } from './password-dialog.tsx';

/** One's own account: password, second factor, sessions. */
export function AccountPage() {
  const client = useClient();
  const account = useLoad((signal) => client.call('getAccount', { signal }), [client]);
  const sessions = useLoad((signal) => client.call('listSessions', { signal }), [client]);
  const [open, setOpen] = useState<'password' | 'factor' | 'remove-factor' | 'everywhere'>();
  const methods = useLoad((signal) => client.call('getSignInMethods', { signal }), [client]);
  const [query] = useQuery();
  const refused = refusalText(query.get('refused'));
  const [codes, setCodes] = useState<readonly string[]>();
  const reload = (): void => {
    account.reload();
    sessions.reload();
  };
  const close = () => setOpen(undefined);
  const end = useAction(
    async ({ id }: Session) => {
      await client.call('endSession', { path: { id } });
      sessions.reload();
    },
    { done: 'The session has ended.' },
  );
  // Who signs in at the provider alone has nothing else to prove themselves by.
  const isUnproved = account.data?.hasPassword === false && !account.data.confirmed;
  const error = account.error ?? sessions.error ?? end.error;

  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title="Your account"
        lead={account.data ? `${account.data.name}, ${account.data.email}` : ' '}
      />
      {error !== undefined && (
        <ErrorState title="The account could not be loaded" error={error} onRetry={reload} />
      )}
      {account.data && (
        <>
          {methods.data?.openId && (
            <section class="section" aria-labelledby="provider-title">
              <h2 id="provider-title">{methods.data.openId.name}</h2>
              <div aria-live="polite">
                {refused !== '' && <Callout tone="bad">{refused}</Callout>}
              </div>
              <p id="provider-state">{providerText(account.data)}</p>
              {!account.data.confirmed && (
                <ProviderButton name={methods.data.openId.name} confirm={true} />
              )}
            </section>
          )}
          <section class="section" aria-labelledby="password-title">
            <h2 id="password-title">Password</h2>
            <p>
              {account.data.hasPassword
                ? 'Changing the password signs you out everywhere else.'
                : 'You sign in with the provider. Set a password to sign in here as well.'}
            </p>
            <p>
              <Button
                id="change-password"
                disabled={isUnproved}
                onClick={() => setOpen('password')}
              >
                {account.data.hasPassword ? 'Change password' : 'Choose a password'}
              </Button>
            </p>
          </section>
          <section class="section" aria-labelledby="factor-title">
            <h2 id="factor-title">Second factor</h2>
            <div aria-live="polite">
              {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
            </div>
            <p id="factor-state">
              {account.data.secondFactor
                ? `An authenticator app is asked for at sign-in. You have ${account.data.recoveryCodesLeft} recovery codes left.`
                : 'With an authenticator app, your password alone does not open your account.'}
            </p>
            <p>
              {account.data.secondFactor ? (
                <Button id="remove-factor" onClick={() => setOpen('remove-factor')}>
                  Remove
                </Button>
              ) : (
                <Button id="add-factor" disabled={isUnproved} onClick={() => setOpen('factor')}>
                  Add an app
                </Button>
              )}
            </p>
          </section>
        </>
      )}
      <section class="section" aria-labelledby="sessions-title">
        <h2 id="sessions-title">Active sessions</h2>
        <DataTable
          id="sessions"
          label="Sessions"
          columns={[
            {
              title: 'Browser',
              cell: ({ userAgent, current }) => (
                <span class="row">
                  {browserOf(userAgent)} {current && <Badge tone="info">this one</Badge>}
                </span>
              ),
            },
            { title: 'Address', cell: ({ lastUsedFrom }) => lastUsedFrom },
            { title: 'Last used', cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} /> },
            {
              title: '',
              end: true,
              cell: (session) =>
                session.current ? null : (
                  <Button
                    kind="quiet"
                    small
                    aria-label={`End the session of ${browserOf(session.userAgent)}`}
                    onClick={() => void end.run(session)}
                  >
                    End
                  </Button>
                ),
            },
          ]}
          rows={sessions.data}
          rowKey={({ id }) => id}
        />
        <p>
          <Button id="everywhere" onClick={() => setOpen('everywhere')}>
            Sign out everywhere
          </Button>
        </p>
      </section>
      {open === 'password' && account.data && (
        <PasswordDialog hasPassword={account.data.hasPassword} onChanged={reload} onClose={close} />
      )}
      {open === 'factor' && account.data && (
        <FactorDialog
          hasPassword={account.data.hasPassword}
          onConfirmed={(made) => {
            setCodes(made);
            reload();
          }}
          onClose={close}
        />
      )}
      {open === 'remove-factor' && (
        <RemoveFactorDialog
          onRemoved={() => {
            setCodes(undefined);
            reload();
          }}
          onClose={close}
        />
      )}
      {open === 'everywhere' && (
        <ConfirmDialog
          title="Sign out everywhere?"
          action="Sign out"
          onConfirm={async () => {
            await client.call('signOutEverywhere');
            showToast('You are signed out everywhere.');
            leave();
          }}
          onClose={close}
        >
          <p>All your sessions end at once, this one too.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function providerText({ hasPassword, openId, confirmed }: Account): string {
  if (confirmed) return 'You have just confirmed your identity at the provider.';
  if (!openId) return 'Confirm your identity at the provider once to sign in with it as well.';
  return hasPassword
    ? 'You can sign in with it.'
    : 'You sign in with it. Confirm your identity at the provider before you set a password or add an app.';
}

/** The name of a browser, as far as it says so. */
function browserOf(userAgent: string): string {
  // Most say the names of others as well; the first of these that is there is the true one.
  const name = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'].find((one) =>
    userAgent.includes(`${one}/`),
  );
  const [, system] = /\b(Windows|Android|iPhone|iPad|Mac OS X|Linux)\b/.exec(userAgent) ?? [];
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' };
  const browser = name === undefined ? 'Another browser' : (names[name] ?? name);
  return system === undefined ? browser : `${browser}, ${system}`;
}

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  return (
    <div id="recovery-codes">
      <Callout tone="good">
        <p>
          <strong>Recovery codes, for when you cannot use the app.</strong> Each works once; they
          are not shown again.
        </p>
        <div class="shown-once">
          <CodeBlock label="Recovery codes" text={codes.join('\n')} />
        </div>
        <Button small onClick={onClose}>
          I have kept them
        </Button>
      </Callout>
    </div>
  );
}
