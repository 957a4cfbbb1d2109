import type { TurnMetrics } from '../contract/call-journal.ts';
import type { TurnLatency } from '../testing/spoken/latency.ts';

const STAGES = ['endpointMs', 'recogniserMs', 'modelMs', 'voiceMs', 'totalMs'] as const;
const STAGE_HEADS = ['endpoint', 'recogniser', 'model', 'voice', 'total'];

/** Table of the measured turns; adds the service's own figures if it counted as many turns. */
export function latencyTable(
  turns: readonly TurnLatency[],
  metrics: readonly TurnMetrics[],
): string {
  const matched = metrics.length === turns.length;
  const spokenOver = turns.some((turn) => turn.bargeInStopMs !== undefined);
  const own = turns.map((turn, index) => [
    String(index + 1),
    turn.name,
    answer(turn),
    ...(spokenOver ? [milliseconds(turn.bargeInStopMs)] : []),
    ...(matched ? stages(metrics[index] as TurnMetrics) : []),
  ]);
  const summary = ['p50', 'max'].map((name) => {
    const cell = (values: readonly number[]) => milliseconds(quantile(values, name));
    return [
      name,
      '',
      cell(turns.flatMap((turn) => turn.answerMs ?? [])),
      ...(spokenOver ? [cell(turns.flatMap((turn) => turn.bargeInStopMs ?? []))] : []),
      ...(matched ? STAGES.map((stage) => cell(column(metrics, stage))) : []),
    ];
  });
  const heads = ['turn', 'recording', 'heard'];
  if (spokenOver) heads.push('silenced');
  if (matched) heads.push(...STAGE_HEADS);
  const table = render([heads, ...own, ...summary]);
  if (matched || metrics.length === 0) return table;
  const rows = metrics.map((entry) => [String(entry.turn), ...stages(entry)]);
  return `${table}\nThe service counted ${metrics.length} turns:\n${render([['turn', ...STAGE_HEADS], ...rows])}`;
}

function answer({ answerMs }: TurnLatency): string {
  if (answerMs === undefined) return 'no answer';
  return `${answerMs} ms${answerMs < 0 ? ' (cut in)' : ''}`;
}

function stages(metrics: TurnMetrics): string[] {
  return STAGES.map((stage) => milliseconds(metrics[stage]));
}

function column(metrics: readonly TurnMetrics[], stage: (typeof STAGES)[number]): number[] {
  return metrics.flatMap((entry) => entry[stage] ?? []);
}

function quantile(values: readonly number[], name: string): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  if (name === 'max') return sorted.at(-1);
  // The upper of two middle values: better to overstate latency than to understate it.
  return sorted[Math.floor(sorted.length / 2)];
}

function milliseconds(value: number | undefined): string {
  return value === undefined ? '–' : `${Math.round(value)} ms`;
}

/** Pads columns to their widest cell; numbers are right-aligned. */
function render(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) =>
    Math.max(...rows.map((row) => (row[i] ?? '').length)),
  );
  return rows
    .map((row) => {
      const cells = row.map((cell, i) => {
        const width = widths[i] ?? 0;
        return i >= 2 ? cell.padStart(width) : cell.padEnd(width);
      });
      return `  ${cells.join('  ').trimEnd()}\n`;
    })
    .join('');
}
