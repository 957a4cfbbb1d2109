import '../css/shown-once.css';
import { useState } from 'preact/hooks';
import type { NewApiKey, Team } from '../../client/api.generated.ts';
import { useQuery } from '../router.ts';
import { useClient } from '../session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Menu } from '../ui/menu.tsx';
import { Moment } from '../ui/moment.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { showToast } from '../ui/toasts.tsx';
import { usePages } from '../use-pages.ts';
import { DeleteTeam, ResumeTeam, SuspendTeam, TeamKey } from './team-actions.tsx';
import { TeamDialog } from './team-dialog.tsx';
import { limitsText } from './team-limits.ts';
import { TeamUsage } from './team-usage.tsx';

const TYPING_MS = 300;

type Act = 'usage' | 'change' | 'suspend' | 'resume' | 'key' | 'delete';

const STATES = {
  active: { text: 'active', tone: 'good' },
  suspended: { text: 'suspended', tone: 'warn' },
  deleting: { text: 'being deleted', tone: 'bad' },
} as const;

/** All teams of the service: their states and limits, what they use, and what the operator may do about them. */
export function TeamsPage({ onLeave }: { readonly onLeave: () => void }) {
  const client = useClient();
  const [query, change] = useQuery();
  const wanted = query.get('search') ?? '';
  const { rows, error, reload, more, isLoadingMore } = usePages<Team>(
    (page, signal) =>
      client.open('listTeams', {
        query: { ...page, ...(wanted === '' ? {} : { search: wanted }) },
        ...(signal ? { signal } : {}),
      }),
    [wanted],
  );
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState<{ readonly team: string; readonly key: NewApiKey }>();
  const [asked, setAsked] = useState<{ readonly act: Act; readonly team: Team }>();
  const close = (): void => setAsked(undefined);
  const changed = (said: string): void => {
    showToast(said);
    reload();
  };
  return (
    <section class="page" aria-labelledby="page-title">
      <PageHeader
        title="Teams"
        lead="All teams of this service, their limits and their usage."
        actions={
          <>
            <Button onClick={onLeave}>Leave</Button>
            <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
              Create team
            </Button>
          </>
        }
      />
      <div aria-live="polite">
        {made && (
          <div id="made-key">
            <Callout tone="good">
              <div class="stack shown-once">
                <p>
                  <strong>API key of {made.team}, for its admin.</strong> Copy it now: it is not
                  shown again.
                </p>
                <CodeBlock
                  key={made.key.id}
                  label={`Key of ${made.team}`}
                  text={made.key.key}
                  wrap
                />
                <Button onClick={() => setMade(undefined)}>Done</Button>
              </div>
            </Callout>
          </div>
        )}
      </div>
      <SearchField
        id="teams-search"
        label="Search teams"
        placeholder="Name or id"
        value={wanted}
        onChange={(search) => change({ search })}
        pauseMs={TYPING_MS}
      />
      {error === undefined ? (
        <DataTable<Team>
          id="teams"
          label="Teams"
          rows={rows}
          onMore={more}
          loadingMore={isLoadingMore}
          rowKey={({ id }) => id}
          empty={<p class="help">No team matches “{wanted}”.</p>}
          columns={[
            { title: 'Team', cell: ({ name }) => name },
            { title: 'State', cell: (team) => <State team={team} /> },
            { title: 'Limits', cell: ({ limits }) => limitsText(limits) },
            { title: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
            {
              title: '',
              end: true,
              cell: (team) => (
                <Menu
                  label={`Actions for “${team.name}”`}
                  items={actionsFor(team, (act) => setAsked({ act, team }))}
                />
              ),
            },
          ]}
        />
      ) : (
        <ErrorState title="The teams could not be loaded" error={error} onRetry={reload} />
      )}
      {creating && (
        <TeamDialog
          onMade={({ name, apiKey }) => {
            setMade({ team: name, key: apiKey });
            changed(`“${name}” was created.`);
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {asked?.act === 'usage' && <TeamUsage team={asked.team} onClose={close} />}
      {asked?.act === 'change' && (
        <TeamDialog of={asked.team} onChanged={() => changed('Saved.')} onClose={close} />
      )}
      {asked?.act === 'suspend' && (
        <SuspendTeam team={asked.team} onChanged={changed} onClose={close} />
      )}
      {asked?.act === 'resume' && (
        <ResumeTeam team={asked.team} onChanged={changed} onClose={close} />
      )}
      {asked?.act === 'key' && (
        <TeamKey
          team={asked.team}
          onMade={(key) => setMade({ team: asked.team.name, key })}
          onClose={close}
        />
      )}
      {asked?.act === 'delete' && (
        <DeleteTeam team={asked.team} onChanged={changed} onClose={close} />
      )}
    </section>
  );
}

function State({ team: { status, suspension } }: { readonly team: Team }) {
  const { text, tone } = STATES[status];
  return (
    <>
      <Badge tone={tone}>{text}</Badge>{' '}
      {suspension && status === 'suspended' && <span class="soft">{suspension.reason}</span>}
    </>
  );
}

function actionsFor({ status }: Team, ask: (act: Act) => void) {
  const item = (act: Act, label: string, danger = false) => ({
    ...{ value: act, label, danger },
    onSelect: () => ask(act),
  });
  return [
    item('usage', 'Usage'),
    ...(status === 'deleting'
      ? []
      : [
          item('change', 'Change name and limits'),
          item('key', 'Create an admin’s API key'),
          status === 'suspended' ? item('resume', 'Resume') : item('suspend', 'Suspend', true),
          item('delete', 'Delete', true),
        ]),
  ];
}
