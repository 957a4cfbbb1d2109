import type { Team, TeamUsage as Usage } from '../../client/api.generated.ts';
import { moneyText } from '../calls/call-names.ts';
import { useClient } from '../session.ts';
import { DataTable } from '../ui/data-table.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Facts } from '../ui/facts.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useLoad } from '../use-load.ts';

const MIB = 1024 * 1024;

interface TeamUsageProps {
  readonly team: Team;
  readonly onClose: () => void;
}

/** What the team uses now, beside its limits, and what it used on each of the last thirty days. */
export function TeamUsage({ team, onClose }: TeamUsageProps) {
  const client = useClient();
  const { data, error, reload } = useLoad(
    (signal) => client.call('getTeamUsage', { path: { id: team.id }, signal }),
    [client, team.id],
  );
  return (
    <Dialog title={`Usage of “${team.name}”`} shape="wide" onClose={onClose}>
      {error !== undefined && (
        <ErrorState title="The usage could not be loaded" error={error} onRetry={reload} />
      )}
      {data && <Now usage={data} limits={team.limits} />}
      {data && (
        <DataTable<Usage['days'][number]>
          id="team-days"
          label="The last 30 days"
          rows={data.days.toReversed()}
          rowKey={({ day }) => day}
          empty={<p class="help">No calls in the last 30 days.</p>}
          columns={[
            { title: 'Day', cell: ({ day }) => day },
            { title: 'Calls', end: true, cell: ({ calls }) => calls.toLocaleString() },
            { title: 'Minutes', end: true, cell: ({ minutes }) => rounded(minutes) },
            { title: 'Cost', end: true, cell: ({ cost }) => costText(cost) },
          ]}
        />
      )}
      {!data && error === undefined && <Skeleton lines={6} />}
    </Dialog>
  );
}

interface NowProps {
  readonly usage: Usage;
  readonly limits: Team['limits'];
}

function Now({ usage: { now }, limits }: NowProps) {
  const of = (used: string, limit: number | undefined): string =>
    limit === undefined ? used : `${used} of ${limit.toLocaleString()}`;
  return (
    <Facts
      items={[
        ['Live calls', of(now.liveCalls.toLocaleString(), limits.liveCalls)],
        ['Calls today', of(now.callsToday.toLocaleString(), limits.callsPerDay)],
        ['Minutes this month', of(rounded(now.minutesThisMonth), limits.minutesPerMonth)],
        [
          'Files and recordings, MiB',
          of(rounded((now.fileBytes + now.recordingBytes) / MIB), limits.storageMiB),
        ],
        [
          'Knowledge passages',
          of(now.knowledgePassages.toLocaleString(), limits.knowledgePassages),
        ],
      ]}
    />
  );
}

const rounded = (value: number): string =>
  value.toLocaleString(undefined, { maximumFractionDigits: 1 });

const costText = (cost: Readonly<Record<string, number>>): string =>
  Object.entries(cost)
    .map(([currency, amount]) => moneyText(amount, currency))
    .join(', ') || '–';
