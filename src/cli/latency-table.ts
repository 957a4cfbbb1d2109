import type { TurnMetrics } from '../call/commands.ts';
import type { TurnLatency } from './latency.ts';

const STAGES = ['endpointMs', 'recogniserMs', 'modelMs', 'voiceMs', 'totalMs'] as const;
const STAGE_HEADS = ['endpoint', 'recogniser', 'model', 'voice', 'total'];

/** The measured turns, and beside them the service's own account where both count the same turns. */
export function latencyTable(
  turns: readonly TurnLatency[],
  metrics: readonly TurnMetrics[],
): string {
  const matched = metrics.length === turns.length;
  const own = turns.map((turn, index) => [
    String(index + 1),
    turn.name,
    heard(turn),
    ...(matched ? stages(metrics[index] as TurnMetrics) : []),
  ]);
  const answers = turns.flatMap((turn) => turn.answerMs ?? []);
  const summary = ['p50', 'max'].map((name) => [
    name,
    '',
    milliseconds(quantile(answers, name)),
    ...(matched ? STAGES.map((stage) => milliseconds(quantile(column(metrics, stage), name))) : []),
  ]);
  const heads = ['turn', 'recording', 'heard', ...(matched ? STAGE_HEADS : [])];
  const table = render([heads, ...own, ...summary]);
  if (matched || metrics.length === 0) return table;
  const rows = metrics.map((entry) => [String(entry.turn), ...stages(entry)]);
  return `${table}\nThe service counted ${metrics.length} turns:\n${render([['turn', ...STAGE_HEADS], ...rows])}`;
}

function heard({ answerMs, bargeInStopMs }: TurnLatency): string {
  const answer =
    answerMs === undefined ? 'no answer' : `${answerMs} ms${answerMs < 0 ? ' (cut in)' : ''}`;
  return bargeInStopMs === undefined ? answer : `${answer}, silenced in ${bargeInStopMs} ms`;
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
  // Of an even number the upper: rather too long than too short.
  return sorted[Math.floor(sorted.length / 2)];
}

function milliseconds(value: number | undefined): string {
  return value === undefined ? '–' : `${Math.round(value)} ms`;
}

/** Columns as wide as they need to be; numbers to the right. */
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
