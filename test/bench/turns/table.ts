import { isMet, ROWS, type Row } from './goals.ts';
import type { Measures } from './metrics/measures.ts';

const show = (value: number | undefined, unit: Row['unit']) => {
  if (value === undefined) return '–';
  return unit === 'n' ? String(value) : `${value.toFixed(unit === 's' ? 2 : 1)} ${unit}`;
};

const goalOf = (row: Row) => {
  if (row.atMost !== undefined) return `≤ ${row.atMost}`;
  return row.atLeast === undefined ? '' : `≥ ${row.atLeast}`;
};

/** Ours with its goals, the others beside it. */
export function printTable(results: ReadonlyMap<string, Measures>): void {
  const [ours] = results.keys();
  const lines = ROWS.map((row) => {
    const values = [...results].map(([, m]) => show(row.of(m), row.unit));
    const met = isMet(row, row.of(results.get(ours ?? '') as Measures));
    const mark = met === undefined ? '' : met ? 'met' : 'MISSED';
    return [row.name, goalOf(row), mark, ...values];
  });
  const header = ['', 'goal', '', ...results.keys()];
  const widths = header.map((_, i) =>
    Math.max(...[header, ...lines].map((line) => (line[i] ?? '').length)),
  );
  for (const line of [header, ...lines]) {
    const cells = line.map((cell, i) =>
      i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
    );
    console.log(cells.join('  '));
  }
}

/** The same for machines: every row by name, per engine, and which goals ours missed. */
export function toJson(results: ReadonlyMap<string, Measures>): Readonly<Record<string, unknown>> {
  const rounded = (value: number | undefined) =>
    value === undefined ? null : Math.round(value * 1000) / 1000;
  const engines = Object.fromEntries(
    [...results].map(([name, m]) => [
      name,
      Object.fromEntries(ROWS.map((row) => [row.name, rounded(row.of(m))])),
    ]),
  );
  const [first] = results.values();
  const goals = ROWS.map((row) => ({ row, met: first && isMet(row, row.of(first)) }));
  return {
    engines,
    met: goals.filter(({ met }) => met === true).map(({ row }) => row.name),
    missed: goals.filter(({ met }) => met === false).map(({ row }) => row.name),
  };
}
