import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const ROOT = new URL('../../../', import.meta.url).pathname;
const TOP = 45;

function place(url: string): string {
  if (!url.startsWith('file:')) return url || '(native)';
  return relative(ROOT, fileURLToPath(url)).replace(/^node_modules\//, '');
}

/** Prints where a CPU profile's time went: by function itself, and by file with what it calls. */
const { nodes, samples, timeDeltas } = JSON.parse(
  await readFile(process.argv[2] as string, 'utf8'),
) as Profile;
const selfUs = new Map<number, number>();
for (const [n, id] of samples.entries())
  selfUs.set(id, (selfUs.get(id) ?? 0) + (timeDeltas[n] as number));
const byId = new Map(nodes.map((node) => [node.id, node]));
const byFunction = new Map<string, { self: number; total: number }>();

function walk(id: number, above: ReadonlySet<string>): number {
  const node = byId.get(id);
  if (!node) return 0;
  const { functionName, url, lineNumber } = node.callFrame;
  const name = `${functionName || '(anonymous)'}  ${place(url)}:${lineNumber + 1}`;
  const self = selfUs.get(id) ?? 0;
  const below = new Set([...above, name]);
  const total = (node.children ?? []).reduce((sum, child) => sum + walk(child, below), self);
  const sum = byFunction.get(name) ?? { self: 0, total: 0 };
  sum.self += self;
  if (!above.has(name)) sum.total += total;
  byFunction.set(name, sum);
  return total;
}

const all = walk(nodes[0]?.id ?? 1, new Set());
const idle = [...byFunction].find(([name]) => name.startsWith('(idle)'))?.[1].self ?? 0;
const busy = all - idle;
const percent = (us: number) => `${((100 * us) / busy).toFixed(1)} %`;
for (const by of ['self', 'total'] as const) {
  console.log(`\n${by}, of ${(busy / 1000).toFixed(0)} ms busy`);
  const rows = [...byFunction].filter(([name]) => !name.startsWith('('));
  for (const [name, sum] of rows.toSorted(([, a], [, b]) => b[by] - a[by]).slice(0, TOP))
    console.log(percent(sum[by]).padStart(8), name);
}
