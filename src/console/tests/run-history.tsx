import type { TestRunSummary } from '../../client/api.generated.ts';
import { moneyText } from '../calls/call-names.ts';
import { Badge } from '../ui/badge.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { scoreText, soundText, stateOf } from './test-names.ts';

interface RunHistoryProps {
  readonly runs: readonly TestRunSummary[];
  /** The run whose result is shown. */
  readonly shown: string | undefined;
}

/** The runs of a suite, newest first. */
export function RunHistory({ runs, shown }: RunHistoryProps) {
  return (
    <section class="section" aria-labelledby="history-title">
      <h2 id="history-title">Runs</h2>
      <DataTable
        id="runs"
        label="Runs"
        rows={runs}
        rowKey={({ id }) => id}
        rowHref={({ id, suiteId }) => `/tests/${suiteId}?run=${id}`}
        columns={[
          {
            title: 'When',
            cell: ({ id, createdAt }) => (
              <span aria-current={id === shown || undefined}>
                <RelativeTime at={createdAt} />
              </span>
            ),
          },
          { title: 'Version', cell: ({ assistantVersion }) => assistantVersion ?? '–' },
          {
            title: 'Result',
            cell: (run) => {
              const { label, tone } = stateOf(run);
              return <Badge tone={tone}>{label}</Badge>;
            },
          },
          { title: 'Score', cell: (run) => scoreText(run) },
          { title: 'Sound', cell: (run) => soundText(run) },
          { title: 'By', cell: ({ by }) => (by === 'nightly' ? 'the nightly run' : 'request') },
          {
            title: 'Cost',
            end: true,
            cell: ({ cost }) => (cost ? moneyText(cost.total, cost.currency) : '–'),
          },
        ]}
      />
    </section>
  );
}
