import { OURS, SAME_KNOWLEDGE } from './engines.ts';
import { Measures } from './metrics/measures.ts';
import { type Column, VIEWS, type View } from './views.ts';
import type { Done } from './work.ts';

/** The middle of the seeds and their range. */
export interface Figure {
  readonly mid: number;
  readonly low: number;
  readonly high: number;
}

export interface Goal {
  readonly view: string;
  readonly engine: string;
  readonly column: string;
  readonly goal: string;
  readonly value: number;
  readonly met: boolean;
}

/** What every engine gave in one view. */
export interface ViewResult {
  readonly view: View;
  readonly rows: readonly (readonly [engine: string, figures: readonly (Figure | undefined)[]])[];
}

const OUR_NAMES = new Set<string>(OURS);

/** The views over all that was done, rows in the engines' order. */
export function viewsOf(done: readonly Done[], engines: readonly string[]): readonly ViewResult[] {
  const seeds = [...new Set(done.map(({ work }) => work.seed))];
  return VIEWS.map((view) => ({
    view,
    rows: engines
      .filter((engine) => !view.oursOnly || OUR_NAMES.has(engine))
      .flatMap((engine) => {
        const bySeed = seeds.map((seed) => measuresOf(done, view, engine, seed));
        const figures = view.columns.map((column) => figureOf(column, bySeed));
        return figures.every((figure) => figure === undefined) ? [] : [[engine, figures] as const];
      }),
  }));
}

function measuresOf(done: readonly Done[], view: View, engine: string, seed: number): Measures {
  const all = new Measures();
  const wanted = new Set<string>(view.classes);
  for (const { work, measures } of done) {
    if (work.engine === engine && work.seed === seed && wanted.has(work.class)) all.add(measures);
  }
  return all;
}

function figureOf(column: Column, bySeed: readonly Measures[]): Figure | undefined {
  const values = bySeed.flatMap((measures) => column.of(measures) ?? []).sort((a, b) => a - b);
  const [low] = values;
  const high = values.at(-1);
  const mid = values[Math.floor(values.length / 2)];
  return low === undefined || mid === undefined || high === undefined
    ? undefined
    : { low, mid, high };
}

/** Every goal of ours, met by the middle seed or not. */
export function goalsOf(results: readonly ViewResult[]): readonly Goal[] {
  const [ships, , withModel] = OURS;
  return results.flatMap(({ view, rows }) =>
    view.columns.flatMap((column, i) => {
      const judge = (engine: string, atMost: number | undefined, atLeast: number | undefined) => {
        const value = rows.find(([name]) => name === engine)?.[1][i]?.mid;
        if (value === undefined || (atMost === undefined && atLeast === undefined)) return [];
        const met = value <= (atMost ?? value) && value >= (atLeast ?? value);
        const goal = atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`;
        return [{ view: view.title, engine, column: column.name, goal, value, met }];
      };
      return [
        ...judge(ships, column.atMost, column.atLeast),
        ...judge(withModel, column.atMostWithModel, undefined),
      ];
    }),
  );
}

/** Whether ours is ahead of every peer that knows the same, in gap p50, gap p95 and cut-ins together. */
export function aheadOf(results: readonly ViewResult[]): readonly string[] {
  const [{ view, rows } = { view: undefined, rows: [] }] = results;
  const names = ['gap p50', 'gap p95', 'cut-ins / pause'];
  const figures = (engine: string) =>
    names.map((name) => {
      const i = view?.columns.findIndex((column) => column.name === name) ?? -1;
      return rows.find(([row]) => row === engine)?.[1][i]?.mid ?? Number.NaN;
    });
  return SAME_KNOWLEDGE.flatMap(([ours, ...peers]) =>
    peers.map((peer) => {
      const theirs = figures(peer);
      const behind = names.filter((_, i) => !((figures(ours)[i] ?? 0) < (theirs[i] ?? 0)));
      return `${ours} against ${peer}: ${behind.length === 0 ? 'ahead in all three' : `behind in ${behind.join(', ')}`}`;
    }),
  );
}

const show = (value: number, unit: Column['unit']) =>
  unit === 'n' ? String(value) : value.toFixed(unit === 's' ? 2 : 1);

function cellOf(figure: Figure | undefined, { unit }: Column): string {
  if (!figure) return '–';
  const [low, mid, high] = [figure.low, figure.mid, figure.high].map((value) => show(value, unit));
  return low === high ? `${mid}` : `${mid} [${low}–${high}]`;
}

function goalOf({ atMost, atLeast, atMostWithModel }: Column): string {
  if (atLeast !== undefined) return `≥ ${atLeast}`;
  if (atMost === undefined) return '';
  return atMostWithModel === undefined ? `≤ ${atMost}` : `≤ ${atMost}; ${atMostWithModel}`;
}

/** One table: an engine a row. */
export function printView({ view, rows }: ViewResult): void {
  const units = { s: ' s', '%': ' %', n: '' } as const;
  const head = ['', ...view.columns.map(({ name, unit }) => `${name}${units[unit]}`)];
  const goals = ['goal', ...view.columns.map(goalOf)];
  const lines = rows.map(([engine, figures]) => [
    engine,
    ...view.columns.map((column, i) => cellOf(figures[i], column)),
  ]);
  const all = goals.some((goal, i) => i > 0 && goal !== '')
    ? [head, goals, ...lines]
    : [head, ...lines];
  const widths = head.map((_, i) => Math.max(...all.map((line) => (line[i] ?? '').length)));
  console.log(`\n${view.title}`);
  for (const line of all) {
    const cells = line.map((cell, i) =>
      i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
    );
    console.log(cells.join('  '));
  }
}

const rounded = (value: number) => Math.round(value * 1000) / 1000;

/** The same for machines: every figure by view, engine and column. */
export const toJson = (results: readonly ViewResult[]) =>
  Object.fromEntries(
    results.map(({ view, rows }) => [
      view.title,
      Object.fromEntries(
        rows.map(([engine, figures]) => [
          engine,
          Object.fromEntries(
            view.columns.flatMap(({ name }, i) => {
              const figure = figures[i];
              return figure
                ? [[name, [figure.mid, figure.low, figure.high].map(rounded)] as const]
                : [];
            }),
          ),
        ]),
      ),
    ]),
  );
