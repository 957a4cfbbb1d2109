import type { CallStatistics } from '../../client/api.generated.ts';
import { Chart, type Plot } from './chart.tsx';

interface CallsChartProps {
  readonly statistics: CallStatistics | undefined;
  readonly labels: readonly string[] | undefined;
}

const WIDEST = 36;

/** Number of calls, and of those that failed. */
export function CallsChart({ statistics, labels }: CallsChartProps) {
  const intervals = statistics?.intervals ?? [];
  const largest = Math.max(0, ...intervals.map(({ calls }) => calls));
  return (
    <Chart
      title="Calls"
      legend={
        <>
          <span class="chart-key series-well">succeeded</span>
          <span class="chart-key series-failed">failed</span>
        </>
      }
      labels={labels}
      largest={largest}
      format={(value) => (Number.isInteger(value) ? String(value) : '')}
      columns={['Calls', 'Failed']}
      row={(index) => [String(intervals[index]?.calls ?? 0), String(intervals[index]?.failed ?? 0)]}
    >
      {(plot) =>
        intervals.map((each, index) => (
          <Bar
            key={each.startAt}
            plot={plot}
            index={index}
            calls={each.calls}
            failed={each.failed}
          />
        ))
      }
    </Chart>
  );
}

interface BarProps {
  readonly plot: Plot;
  readonly index: number;
  readonly calls: number;
  readonly failed: number;
}

function Bar({ plot, index, calls, failed }: BarProps) {
  const width = Math.min(WIDEST, Math.max(1, plot.step * 0.7));
  const x = plot.x(index) - width / 2;
  const [top, edge, bottom] = [plot.y(calls), plot.y(failed), plot.y(0)];
  return (
    <g>
      <rect class="bar series-well" x={x} y={top} width={width} height={edge - top} />
      <rect class="bar series-failed" x={x} y={edge} width={width} height={bottom - edge} />
    </g>
  );
}
