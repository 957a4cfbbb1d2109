import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { axisOf } from './scale.ts';

/** Coordinates of the chart in pixels. */
export interface Plot {
  /** Centre of an interval. */
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
  /** Width of an interval. */
  readonly step: number;
}

interface ChartProps {
  readonly title: string;
  /** Meaning of the colours. */
  readonly legend: ComponentChildren;
  /** Labels of the intervals; undefined while loading. */
  readonly labels: readonly string[] | undefined;
  readonly largest: number;
  readonly format: (value: number) => string;
  /** Columns of the table for screen readers, one for each series. */
  readonly columns: readonly string[];
  readonly row: (index: number) => readonly string[];
  readonly children: (plot: Plot) => ComponentChildren;
}

const HEIGHT = 200;
const LEFT = 44;
const BOTTOM = 24;
const TOP = 8;
const LABEL_WIDTH = 64;

/** A chart over time with axes, the values under the pointer, and the same data as a table. */
export function Chart(props: ChartProps) {
  const { title, legend, labels, largest, format, columns, row, children } = props;
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [pointed, setPointed] = useState<number>();
  const { top, ticks } = axisOf(largest);
  const count = labels?.length ?? 1;
  const step = Math.max(0, width - LEFT) / count;
  const plot: Plot = {
    step,
    x: (index) => LEFT + step * (index + 0.5),
    y: (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top),
  };
  const point = (event: PointerEvent): void => {
    const index = Math.floor((event.offsetX - LEFT) / step);
    setPointed(labels && index >= 0 && index < count ? index : undefined);
  };
  return (
    <figure class="chart">
      <figcaption class="section-head">
        <h2>{title}</h2>
        <span class="chart-legend">{legend}</span>
      </figcaption>
      <div class="chart-frame" ref={frame}>
        {width > 0 && labels && (
          <svg
            width={width}
            height={HEIGHT}
            aria-hidden="true"
            onPointerMove={point}
            onPointerLeave={() => setPointed(undefined)}
          >
            {ticks.map((tick) => (
              <g key={tick} class="chart-grid">
                <line x1={LEFT} x2={width} y1={plot.y(tick)} y2={plot.y(tick)} />
                <text x={LEFT - 8} y={plot.y(tick) + 4} text-anchor="end">
                  {format(tick)}
                </text>
              </g>
            ))}
            {pointed !== undefined && (
              <rect
                class="chart-pointed"
                x={plot.x(pointed) - step / 2}
                y={TOP}
                width={step}
                height={HEIGHT - TOP - BOTTOM}
              />
            )}
            {children(plot)}
            <TimeLabels labels={labels} plot={plot} />
          </svg>
        )}
        <p class="chart-readout" aria-hidden="true">
          {pointed !== undefined && labels && (
            <>
              <strong>{labels[pointed]}</strong>{' '}
              {row(pointed)
                .map((value, index) => `${columns[index]} ${value}`)
                .join(' · ')}
            </>
          )}
        </p>
      </div>
      <ChartTable title={title} labels={labels ?? []} columns={columns} row={row} />
    </figure>
  );
}

function TimeLabels({ labels, plot }: { readonly labels: readonly string[]; readonly plot: Plot }) {
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / Math.max(plot.step, 1)));
  const edge = LEFT + plot.step * labels.length;
  const shown = labels.map((label, index) => ({ label, index }));
  return (
    <g class="chart-grid">
      {shown
        // Counted from the end, so that the latest interval always has a label.
        .filter(({ index }) => (labels.length - 1 - index) % every === 0)
        .map(({ label, index }) => (
          <text
            key={index}
            // The centre of the last interval may be too close to the edge for its label.
            x={Math.min(plot.x(index), edge - LABEL_WIDTH / 2)}
            y={HEIGHT - 6}
            text-anchor="middle"
          >
            {label}
          </text>
        ))}
    </g>
  );
}

type TableProps = Pick<ChartProps, 'title' | 'columns' | 'row'> & {
  readonly labels: readonly string[];
};

function ChartTable({ title, labels, columns, row }: TableProps) {
  return (
    <details class="chart-table">
      <summary>{title} as a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard */}
      <section tabIndex={0} aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">From</th>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label, index) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {row(index).map((value, column) => (
                  <td key={columns[column]}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

/** Width of an element in CSS pixels; 0 until it is measured. */
function useWidth(element: RefObject<HTMLElement>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return width;
}
