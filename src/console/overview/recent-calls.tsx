import { Link } from 'wouter-preact';
import type { CallSummary } from '../../client/api.generated.ts';
import { ASSISTANTS, useNamed } from '../named.ts';
import { Badge } from '../ui/badge.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Duration } from '../ui/duration.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import type { RangeName } from './range.ts';

interface RecentCallsProps {
  readonly range: RangeName;
  readonly calls: readonly CallSummary[] | undefined;
}

/** The latest calls; live ones come first. */
export function RecentCalls({ range, calls }: RecentCallsProps) {
  const assistants = useNamed(
    ASSISTANTS,
    calls?.map(({ assistantId }) => assistantId),
  );
  const nameOf = ({ assistantId }: CallSummary): string =>
    assistants.of(assistantId)?.label ?? 'Temporary assistant';
  return (
    <section class="section">
      <div class="section-head">
        <h2>Last calls</h2>
        <Link href={`/calls?period=${range}`}>All calls</Link>
      </div>
      <DataTable
        label="Last calls"
        rows={calls}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/calls/${id}`}
        empty={<p class="soft">No call yet.</p>}
        columns={[
          { title: 'Assistant', cell: nameOf },
          { title: 'Caller', cell: (call) => call.userNumber ?? 'Web' },
          { title: 'Began', cell: ({ startAt }) => <RelativeTime at={startAt} /> },
          { title: 'Length', cell: (call) => <LengthOrLive call={call} />, end: true },
        ]}
      />
    </section>
  );
}

function LengthOrLive({ call }: { readonly call: CallSummary }) {
  if (call.endAt === undefined) {
    return (
      <Badge tone="good" live>
        live
      </Badge>
    );
  }
  return <Duration seconds={(Date.parse(call.endAt) - Date.parse(call.startAt)) / 1000} />;
}
