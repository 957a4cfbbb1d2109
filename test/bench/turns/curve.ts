import { doAll } from './crew.ts';
import { ENGINES, OURS } from './engines.ts';
import { Measures } from './metrics/measures.ts';
import { SMART_TURN_SEPARATION } from './oracle.ts';
import type { Point, Work } from './work.ts';

/** The classes that have silences in turns, and ends of turns. */
const CLASSES = ['clean', 'pauses', 'numbers'] as const;
const STRETCHES = [0.25, 0.5, 1, 1.5, 2, 3];
const SEPARATIONS = [0.75, 1, 2, 2.5];

/** Where one engine stands with one setting. */
export interface CurvePoint extends Required<Point> {
  readonly engine: string;
  /** Share of the pauses into which it spoke. */
  readonly audible: number;
  /** Share of the pauses that it took for an end, heard or taken back. */
  readonly cutOffs: number;
  /** Mean silence before the decision at true ends, ms. */
  readonly decisionMs: number;
  readonly gapP50Ms: number;
  readonly gapP95Ms: number;
}

/** What a line through an engine's points says, as eot-bench puts it; nothing beyond its ends. */
export interface Operating {
  readonly engine: string;
  readonly separation: number;
  readonly cutOffsAt300Ms: number | undefined;
  readonly cutOffsAt600Ms: number | undefined;
  readonly decisionMsAt5Percent: number | undefined;
  /** The same of what was heard, by the median gap. */
  readonly audibleAtGap1000Ms: number | undefined;
  readonly gapMsAtAudible2_5Percent: number | undefined;
}

/** Every engine with its waits stretched, and ours with worse and better predictors. */
export async function measureCurve(
  seed: number,
  scale: number,
  threads: number,
): Promise<{ readonly points: readonly CurvePoint[]; readonly operating: readonly Operating[] }> {
  const [, ours] = OURS;
  const own = ENGINES.map((kind) => [kind.name, kind.separation ?? SMART_TURN_SEPARATION] as const);
  const more = SEPARATIONS.map((separation) => [ours, separation] as const);
  const wanted = [...own, ...more].flatMap(([engine, separation]) =>
    STRETCHES.map((stretch) => [engine, at(stretch, separation)] as const),
  );
  const work = wanted.flatMap(([engine, point]) =>
    CLASSES.map((name): Work => {
      return { engine, class: name, seed, scale, point };
    }),
  );
  const done = await doAll(work, threads);
  const points = wanted.map(([engine, point]) => {
    const all = new Measures();
    for (const { work: did, measures } of done) {
      const { point: its } = did;
      const same = its?.stretch === point.stretch && its.separation === point.separation;
      if (did.engine === engine && same) all.add(measures);
    }
    return pointOf(engine, point, all);
  });
  const families = new Map(
    points.map((point) => [`${point.engine} ${point.separation}`, point] as const),
  );
  const operating = [...families.values()].map(({ engine, separation }) =>
    operatingOf(points.filter((p) => p.engine === engine && p.separation === separation)),
  );
  return { points, operating };
}

const at = (stretch: number, separation: number) => ({ stretch, separation });

function pointOf(engine: string, point: Required<Point>, m: Measures): CurvePoint {
  return {
    engine,
    ...point,
    audible: m.share('cut-ins', 'pauses') ?? 0,
    cutOffs: m.share('cut-offs', 'pauses') ?? 0,
    decisionMs: Math.round(m.mean('decision') ?? 0),
    gapP50Ms: m.quantile('gap', 0.5) ?? 0,
    gapP95Ms: m.quantile('gap', 0.95) ?? 0,
  };
}

/** Reads a family of points at the values that are asked for. */
export function operatingOf(points: readonly CurvePoint[]): Operating {
  const [{ engine, separation } = { engine: '', separation: 0 }] = points;
  const cutOffs = points.map((p) => [p.decisionMs, p.cutOffs] as const);
  const audible = points.map((p) => [p.gapP50Ms, p.audible] as const);
  const turned = (line: Line) => line.map(([x, y]) => [y, x] as const);
  return {
    engine,
    separation,
    cutOffsAt300Ms: between(cutOffs, 300),
    cutOffsAt600Ms: between(cutOffs, 600),
    decisionMsAt5Percent: between(turned(cutOffs), 0.05),
    audibleAtGap1000Ms: between(audible, 1000),
    gapMsAtAudible2_5Percent: between(turned(audible), 0.025),
  };
}

type Line = readonly (readonly [x: number, y: number])[];

function between(line: Line, x: number): number | undefined {
  const sorted = line.toSorted(([a], [b]) => a - b);
  for (const [i, [toX, toY]] of sorted.entries()) {
    if (toX === x) return toY;
    const [fromX, fromY] = sorted[i - 1] ?? [toX, toY];
    if (fromX < x && x < toX) return fromY + ((x - fromX) / (toX - fromX)) * (toY - fromY);
  }
  return undefined;
}

const listens = new Map(ENGINES.map(({ name, separation }) => [name, separation]));

/** Of who asks a model of the sound; nothing of who does not. */
const separationOf = ({ engine, separation }: Operating) =>
  listens.get(engine) === undefined ? '–' : separation.toFixed(2);

const percent = (value: number | undefined) =>
  value === undefined ? '–' : `${(value * 100).toFixed(1)}`;
const ms = (value: number | undefined) => (value === undefined ? '–' : value.toFixed(0));

/** A line for every family of points: what is traded for what, and what it says at fixed values. */
export function printCurve({ points, operating }: Awaited<ReturnType<typeof measureCurve>>): void {
  const line = (cells: readonly string[]) =>
    console.log(
      cells
        .map((cell, i) => (i === 0 ? cell.padEnd(25) : cell.padStart(i === 1 ? 5 : 11)))
        .join(' '),
    );
  console.log(
    '\ntrade-off: audible cut-ins per pause, % @ median response gap, s; waits stretched',
  );
  line(['', 'd′', ...STRETCHES.map((by) => `×${by}`)]);
  for (const o of operating) {
    const family = points.filter((p) => p.engine === o.engine && p.separation === o.separation);
    const cells = family.map((p) => `${percent(p.audible)} @ ${(p.gapP50Ms / 1000).toFixed(2)}`);
    line([o.engine, separationOf(o), ...cells]);
  }
  console.log(
    '\nat fixed values: pauses taken for ends, % when ends are seen after 300 and 600 ms on average; that time, ms, where it is 5 %; audible cut-ins, % at a median gap of 1 s; that gap, ms, at 2.5 % audible',
  );
  line(['', 'd′', '@300', '@600', '@5 %', '@gap 1 s', '@2.5 % aud.']);
  for (const o of operating) {
    line([
      o.engine,
      separationOf(o),
      percent(o.cutOffsAt300Ms),
      percent(o.cutOffsAt600Ms),
      ms(o.decisionMsAt5Percent),
      percent(o.audibleAtGap1000Ms),
      ms(o.gapMsAtAudible2_5Percent),
    ]);
  }
}
