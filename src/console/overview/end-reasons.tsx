import type { CallStatistics } from '../../client/api.generated.ts';
import { endReason as reasonNamed } from '../calls/end-reasons.ts';
import { Badge } from '../ui/badge.tsx';
import { DataTable } from '../ui/data-table.tsx';
import type { RangeName } from './range.ts';

interface EndReasonsProps {
  readonly range: RangeName;
  readonly reasons: CallStatistics['endReasons'] | undefined;
}

/** Why calls ended, most frequent first; each links to its calls. */
export function EndReasons({ range, reasons }: EndReasonsProps) {
  return (
    <section class="section">
      <h2>Why calls ended</h2>
      <DataTable
        label="Why calls ended"
        rows={reasons}
        rowKey={({ endReason }) => endReason}
        rowHref={({ endReason }) => `/calls?end=${encodeURIComponent(endReason)}&period=${range}`}
        empty={<p class="soft">No call ended in this period.</p>}
        columns={[
          { title: 'Reason', cell: ({ endReason }) => reasonNamed(endReason).text },
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
