import '../overview/overview.css';
import { Chart, type Plot } from '../overview/chart.tsx';
import type { VersionScore } from './test-names.ts';

const WIDEST = 36;

/** How many tests passed with each version of an assistant. */
export function ScoresChart({ scores }: { readonly scores: readonly VersionScore[] }) {
  return (
    <Chart
      title="Tests passed by version"
      legend={
        <>
          <span class="chart-key series-well">passed</span>
          <span class="chart-key series-failed">not passed</span>
        </>
      }
      labels={scores.map(({ version }) => `Version ${version}`)}
      largest={Math.max(0, ...scores.map(({ tests }) => tests))}
      format={(value) => (Number.isInteger(value) ? String(value) : '')}
      columns={['Passed', 'Tests']}
      row={(index) => [String(scores[index]?.passed ?? 0), String(scores[index]?.tests ?? 0)]}
    >
      {(plot) =>
        scores.map((score, index) => <Bar key={score.version} {...{ plot, index, score }} />)
      }
    </Chart>
  );
}

interface BarProps {
  readonly plot: Plot;
  readonly index: number;
  readonly score: VersionScore;
}

function Bar({ plot, index, score: { passed, tests } }: BarProps) {
  const width = Math.min(WIDEST, Math.max(1, plot.step * 0.7));
  const x = plot.x(index) - width / 2;
  const [top, edge, bottom] = [plot.y(tests), plot.y(passed), plot.y(0)];
  return (
    <g>
      <rect class="bar series-failed" x={x} y={top} width={width} height={edge - top} />
      <rect class="bar series-well" x={x} y={edge} width={width} height={bottom - edge} />
    </g>
  );
}
