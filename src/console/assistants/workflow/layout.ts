import type { Workflow } from './first-workflow.ts';

/** Position of a step, in the picture's units. */
export interface PlacedStep {
  readonly id: string;
  readonly label: string;
  readonly end: boolean;
  readonly start: boolean;
  /** No path leads to it from the start. */
  readonly stray: boolean;
  readonly x: number;
  readonly y: number;
}

export interface PlacedEdge {
  /** SVG path data from step to step. */
  readonly path: string;
  /** The edge leads to an earlier level or to the same one. */
  readonly back: boolean;
}

export interface WorkflowPicture {
  readonly width: number;
  readonly height: number;
  readonly steps: readonly PlacedStep[];
  readonly edges: readonly PlacedEdge[];
}

export const STEP = { width: 148, height: 44 } as const;
const GAP = { x: 28, y: 44 } as const;
const MARGIN = 24;

/**
 * Lays out a workflow from top to bottom: each step on the level at which it is first reached, unreachable steps below.
 */
export function layOut({ start, nodes, edges }: Workflow): WorkflowPicture {
  const level = levelsOf(start, nodes, edges);
  const deepest = Math.max(-1, ...level.values());
  const rows = Map.groupBy(nodes, ({ id }) => level.get(id) ?? deepest + 1);
  const widest = Math.max(1, ...[...rows.values()].map((row) => row.length));
  const width = widest * (STEP.width + GAP.x) - GAP.x + 2 * MARGIN;
  const steps = [...rows].flatMap(([depth, row]) => {
    const taken = row.length * (STEP.width + GAP.x) - GAP.x;
    return row.map(({ id, name, end }, index) => ({
      id,
      label: name.trim() || id,
      end,
      start: id === start,
      stray: !level.has(id),
      x: (width - taken) / 2 + index * (STEP.width + GAP.x),
      y: MARGIN + depth * (STEP.height + GAP.y),
    }));
  });
  const place = new Map(steps.map((step) => [step.id, step]));
  return {
    width,
    height: 2 * MARGIN + rows.size * (STEP.height + GAP.y) - GAP.y,
    steps,
    edges: edges.flatMap(({ from, to }) => {
      const [a, b] = [place.get(from), place.get(to)];
      return a && b ? [edgeBetween(a, b)] : [];
    }),
  };
}

function levelsOf(
  start: string,
  nodes: Workflow['nodes'],
  edges: Workflow['edges'],
): ReadonlyMap<string, number> {
  const known = new Set(nodes.map(({ id }) => id));
  const level = new Map<string, number>(known.has(start) ? [[start, 0]] : []);
  // Breadth first: iterating over a map includes entries added during the loop.
  for (const [id, depth] of level)
    for (const { from, to } of edges)
      if (from === id && known.has(to) && !level.has(to)) level.set(to, depth + 1);
  return level;
}

function edgeBetween(a: PlacedStep, b: PlacedStep): PlacedEdge {
  if (b.y > a.y) {
    const [x1, y1] = [a.x + STEP.width / 2, a.y + STEP.height];
    const [x2, y2] = [b.x + STEP.width / 2, b.y];
    const bend = (y2 - y1) / 2;
    return { path: `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`, back: false };
  }
  const [x1, y1] = [a.x + STEP.width, a.y + STEP.height / 2];
  const [x2, y2] = [b.x + STEP.width, b.y + (a === b ? STEP.height / 4 : STEP.height / 2)];
  const far = Math.max(x1, x2) + GAP.x;
  return { path: `M${x1} ${y1}C${far} ${y1} ${far} ${y2} ${x2} ${y2}`, back: true };
}

/** The workflow in words, for screen readers. */
export function describeWorkflow({ start, nodes, edges }: Workflow): string {
  const labels = new Map(nodes.map(({ id, name }) => [id, name.trim() || id]));
  const labelOf = (id: string) => labels.get(id) ?? id;
  const steps = nodes.map(({ id, end }) => {
    const next = edges.filter(({ from }) => from === id).map(({ to }) => labelOf(to));
    if (next.length > 0) return `${labelOf(id)} leads to ${[...new Set(next)].join(' and ')}`;
    return end ? `${labelOf(id)} ends the call` : `${labelOf(id)} leads nowhere`;
  });
  return `The workflow begins with ${labelOf(start)}. ${steps.join('. ')}.`;
}
