import type { CallStatistics } from '../../client/api.generated.ts';
import { Badge } from '../ui/badge.tsx';
import { DataTable } from '../ui/data-table.tsx';

interface EndReasonsProps {
  readonly reasons: CallStatistics['endReasons'] | undefined;
}

/** Why calls ended, the commonest first; each leads to its calls. */
export function EndReasons({ reasons }: EndReasonsProps) {
  return (
    <section class="section">
      <h2>Why calls ended</h2>
      <DataTable
        label="Why calls ended"
        rows={reasons}
        rowKey={({ endReason }) => endReason}
        rowHref={({ endReason }) => `/calls?end=${encodeURIComponent(endReason)}`}
        empty={<p class="soft">No call has ended in this time.</p>}
        columns={[
          { title: 'Reason', cell: ({ endReason }) => words(endReason) },
          {
            title: '',
            cell: ({ failed }) => failed > 0 && <Badge tone="bad">failed</Badge>,
          },
          { title: 'Calls', cell: ({ calls }) => calls, end: true },
        ]}
      />
    </section>
  );
}

/** A stable code as words: `user-hung-up` is “User hung up”. */
function words(code: string): string {
  const text = code.replaceAll('-', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
