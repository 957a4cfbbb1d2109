import type { CallStatistics } from '../../client/api.generated.ts';
import { Chart, type Plot } from './chart.tsx';

interface AnswersChartProps {
  readonly statistics: CallStatistics | undefined;
  readonly labels: readonly string[] | undefined;
}

type Percentile = 'p50Ms' | 'p95Ms';

/** Response times: the median on one line, the 95th percentile on the other. */
export function AnswersChart({ statistics, labels }: AnswersChartProps) {
  const intervals = statistics?.intervals ?? [];
  const largest = Math.max(0, ...intervals.map(({ p95Ms }) => p95Ms ?? 0));
  return (
    <Chart
      title="Time to answer"
      legend={
        <>
          <span class="chart-key series-median">median</span>
          <span class="chart-key series-high">95 of 100</span>
        </>
      }
      labels={labels}
      largest={Math.max(1000, largest)}
      format={(value) => `${(value / 1000).toFixed(1)} s`}
      columns={['Median', '95 of 100', 'Answers']}
      row={(index) => [
        msText(intervals[index]?.p50Ms),
        msText(intervals[index]?.p95Ms),
        String(intervals[index]?.turns ?? 0),
      ]}
    >
      {(plot) => (
        <>
          <Line plot={plot} intervals={intervals} percentile="p95Ms" />
          <Line plot={plot} intervals={intervals} percentile="p50Ms" />
        </>
      )}
    </Chart>
  );
}

interface LineProps {
  readonly plot: Plot;
  readonly intervals: CallStatistics['intervals'];
  readonly percentile: Percentile;
}

function Line({ plot, intervals, percentile }: LineProps) {
  const points = intervals.flatMap((each, index) => {
    const value = each[percentile];
    return value === undefined ? [] : [{ index, x: plot.x(index), y: plot.y(value) }];
  });
  // Intervals without answers have no data, so the line is broken there.
  const path = points
    .map(
      ({ index, x, y }, place) => `${points[place - 1]?.index === index - 1 ? 'L' : 'M'}${x} ${y}`,
    )
    .join('');
  return (
    <g class={`line ${percentile === 'p50Ms' ? 'series-median' : 'series-high'}`}>
      <path d={path} />
      {points.map(({ index, x, y }) => (
        <circle key={index} cx={x} cy={y} r={3} />
      ))}
    </g>
  );
}

/** Formats a response time. */
export function msText(ms: number | undefined): string {
  return ms === undefined ? '–' : `${Math.round(ms)} ms`;
}
