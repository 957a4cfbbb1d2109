import '../css/shown-once.css';
import { useState } from 'preact/hooks';
import type { Invitation, NewInvitation, Person } from '../../client/api.generated.ts';
import { useQuery } from '../router.ts';
import { useClient, who } from '../session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Moment } from '../ui/moment.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { showToast } from '../ui/toasts.tsx';
import { usePages } from '../use-pages.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { PersonDialog } from './person-dialog.tsx';

const TYPING_MS = 300;

type Asked =
  | { readonly act: 'remove' | 'sign-out' | 'factor'; readonly person: Person }
  | { readonly act: 'revoke'; readonly invitation: Invitation };

/** The people of the team: invite, change the role, sign out, remove. */
export function PeoplePage() {
  const client = useClient();
  const [query, change] = useQuery();
  const wanted = query.get('search') ?? '';
  const search = wanted === '' ? {} : { search: wanted };
  const people = usePages<Person>(
    (page, signal) =>
      client.open('listPeople', { query: { ...page, ...search }, ...(signal ? { signal } : {}) }),
    [wanted],
  );
  const invitations = usePages<Invitation>(
    (page, signal) =>
      client.open('listInvitations', {
        query: { ...page, ...search },
        ...(signal ? { signal } : {}),
      }),
    [wanted],
  );
  const [isInviting, setIsInviting] = useState(false);
  const [made, setMade] = useState<NewInvitation>();
  const [changing, setChanging] = useState<Person>();
  const [asked, setAsked] = useState<Asked>();
  const reload = (): void => {
    people.reload();
    invitations.reload();
  };
  const error = people.error ?? invitations.error;

  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title="People"
        lead="People who can sign in to this console, and their roles."
        actions={
          <Button id="invite" kind="primary" icon="plus" onClick={() => setIsInviting(true)}>
            Invite
          </Button>
        }
      />
      <div aria-live="polite">
        {made && (
          <div id="made-invitation">
            <Callout tone="good">
              <p>
                <strong>Pass this link on to {made.email}.</strong> It works once, within a week,
                and is not shown again.
              </p>
              <div class="shown-once">
                <CodeBlock key={made.id} label="Link of the invitation" text={made.url} wrap />
              </div>
              <Button small onClick={() => setMade(undefined)}>
                Done
              </Button>
            </Callout>
          </div>
        )}
      </div>
      {error !== undefined && (
        <ErrorState title="The people could not be loaded" error={error} onRetry={reload} />
      )}
      {(wanted !== '' || people.rows?.length !== 0) && (
        <SearchField
          id="people-search"
          label="Search people and invitations"
          placeholder="Name, e-mail address or role"
          value={wanted}
          onChange={(next) => change({ search: next })}
          pauseMs={TYPING_MS}
        />
      )}
      {(people.rows || people.error === undefined) && (
        <DataTable
          id="people"
          label="People"
          empty={
            wanted === '' ? (
              <p class="soft">No people yet: this team is accessed with API keys only.</p>
            ) : (
              <EmptyState icon="search" title={`Nothing matches “${wanted}”`}>
                The search covers names, e-mail addresses and roles. All words must match.
              </EmptyState>
            )
          }
          columns={[
            {
              title: 'Name',
              cell: (person) => (
                <span class="row">
                  {person.name} {isMe(person) && <Badge tone="info">you</Badge>}
                </span>
              ),
            },
            { title: 'E-mail address', cell: ({ email }) => email },
            { title: 'Role', cell: ({ role }) => role },
            { title: 'Second factor', cell: ({ secondFactor }) => (secondFactor ? 'yes' : 'no') },
            {
              title: 'Last sign-in',
              cell: ({ lastSignInAt }) =>
                lastSignInAt ? <RelativeTime at={lastSignInAt} /> : 'never',
            },
            {
              title: '',
              end: true,
              cell: (person) => (
                <span class="row">
                  <Button
                    kind="quiet"
                    small
                    aria-label={`Change ${person.name}`}
                    onClick={() => setChanging(person)}
                  >
                    Change
                  </Button>
                  {person.secondFactor && !isMe(person) && (
                    <Button
                      kind="quiet"
                      small
                      aria-label={`Remove the second factor of ${person.name}`}
                      onClick={() => setAsked({ act: 'factor', person })}
                    >
                      Reset factor
                    </Button>
                  )}
                  <Button
                    kind="quiet"
                    small
                    aria-label={`Sign ${person.name} out`}
                    onClick={() => setAsked({ act: 'sign-out', person })}
                  >
                    Sign out
                  </Button>
                  <Button
                    kind="quiet"
                    small
                    aria-label={`Remove ${person.name}`}
                    onClick={() => setAsked({ act: 'remove', person })}
                  >
                    Remove
                  </Button>
                </span>
              ),
            },
          ]}
          rows={people.rows}
          onMore={people.more}
          loadingMore={people.isLoadingMore}
          rowKey={({ id }) => id}
        />
      )}
      {invitations.rows && invitations.rows.length > 0 && (
        <section class="section" aria-labelledby="invitations-title">
          <h2 id="invitations-title">Invited</h2>
          <DataTable
            id="invitations"
            label="Open invitations"
            columns={[
              { title: 'E-mail address', cell: ({ email }) => email ?? 'Anyone with the link' },
              { title: 'Role', cell: ({ role }) => role },
              { title: 'Invited by', cell: ({ invitedBy }) => invitedBy ?? 'the first start' },
              { title: 'Until', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
              {
                title: '',
                end: true,
                cell: (invitation) => (
                  <Button
                    kind="quiet"
                    small
                    aria-label={`Revoke the invitation of ${invitation.email ?? 'anyone with the link'}`}
                    onClick={() => setAsked({ act: 'revoke', invitation })}
                  >
                    Revoke
                  </Button>
                ),
              },
            ]}
            rows={invitations.rows}
            onMore={invitations.more}
            loadingMore={invitations.isLoadingMore}
            rowKey={({ id }) => id}
          />
        </section>
      )}
      {isInviting && (
        <InviteDialog
          onMade={(invitation) => {
            setMade(invitation);
            reload();
          }}
          onClose={() => setIsInviting(false)}
        />
      )}
      {changing && (
        <PersonDialog of={changing} onChanged={reload} onClose={() => setChanging(undefined)} />
      )}
      {asked && <Ask asked={asked} onDone={reload} onClose={() => setAsked(undefined)} />}
    </section>
  );
}

const isMe = ({ id }: Person): boolean => who.value?.person?.id === id;

interface AskProps {
  readonly asked: Asked;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks whether to do what cannot be undone. */
function Ask({ asked, onDone, onClose }: AskProps) {
  const client = useClient();
  if (asked.act === 'revoke') {
    const { id } = asked.invitation;
    return (
      <ConfirmDialog
        title="Revoke the invitation?"
        action="Revoke"
        onConfirm={async () => {
          await client.call('revokeInvitation', { path: { id } });
          showToast('The invitation was revoked.');
          onDone();
        }}
        onClose={onClose}
      >
        <p>Its link stops working.</p>
      </ConfirmDialog>
    );
  }
  const { act, person } = asked;
  const { title, action, text, operation, done } = ACTS[act];
  return (
    <ConfirmDialog
      title={title(person.name)}
      action={action}
      onConfirm={async () => {
        await client.call(operation, { path: { id: person.id } });
        showToast(done(person.name));
        onDone();
      }}
      onClose={onClose}
    >
      <p>
        {text}
        {isMe(person) && ' This is you.'}
      </p>
    </ConfirmDialog>
  );
}

const ACTS = {
  remove: {
    title: (name: string) => `Remove ${name}?`,
    action: 'Remove',
    text: 'All sessions end at once and the account is deleted. Everything the person created is kept.',
    operation: 'removePerson',
    done: (name: string) => `${name} was removed.`,
  },
  'sign-out': {
    title: (name: string) => `Sign ${name} out everywhere?`,
    action: 'Sign out',
    text: 'All sessions end at once. The person can sign in again.',
    operation: 'signOutPerson',
    done: (name: string) => `${name} was signed out.`,
  },
  factor: {
    title: (name: string) => `Remove the second factor of ${name}?`,
    action: 'Take off',
    text: 'The account is protected by the password alone until a new factor is set up. Make sure that the request comes from this person.',
    operation: 'resetSecondFactor',
    done: (name: string) => `${name} has no second factor now.`,
  },
} as const;
