import type { TurnMetrics } from '../../client/api.generated.ts';
import { spanText } from './call-names.ts';

/** A stretch of the time between the caller's last sound and the answer's first. */
export interface TurnPart {
  readonly name: string;
  readonly kind: 'endpoint' | 'recogniser' | 'model' | 'voice' | 'playout';
  readonly fromMs: number;
  readonly toMs: number;
}

const STAGES = [
  ['endpointMs', 'Turn end', 'endpoint'],
  ['recogniserMs', 'Recogniser', 'recogniser'],
  ['modelMs', 'Model', 'model'],
  ['voiceMs', 'Voice', 'voice'],
  ['totalMs', 'Playout', 'playout'],
] as const;

/**
 * Where the time of an answer went. Each stage ends at its own instant; what overlaps, such as a model that was asked
 * before the turn was over, counts for the stage that ended last.
 */
export function turnParts(metrics: TurnMetrics): readonly TurnPart[] {
  const ends = STAGES.flatMap(([key, name, kind]) => {
    const toMs = metrics[key];
    return toMs === undefined ? [] : [{ name, kind, toMs: Math.max(0, toMs) }];
  }).toSorted((a, b) => a.toMs - b.toMs);
  let fromMs = 0;
  return ends.flatMap((stage) => {
    const part = { ...stage, fromMs };
    if (stage.toMs <= fromMs) return [];
    fromMs = stage.toMs;
    return [part];
  });
}

/** The turns that were answered, in their order. */
export function answeredTurns(turns: readonly TurnMetrics[]): readonly TurnMetrics[] {
  return turns.filter(({ totalMs }) => totalMs !== undefined);
}

/** The stages as words, each with its own length; together they are the whole time. */
export function partsText(parts: readonly TurnPart[]): string {
  return parts.map(({ name, fromMs, toMs }) => `${name} ${spanText(toMs - fromMs)}`).join(' · ');
}

/** What the colours of the stages mean. */
export const STAGE_LEGEND = STAGES.map(([, name, kind]) => ({ name, kind }));

/** The middle and the slowest answer, ms. */
export function answerTimes(
  turns: readonly TurnMetrics[],
): { readonly medianMs: number; readonly worstMs: number } | undefined {
  const times = turns.flatMap(({ totalMs }) => totalMs ?? []).toSorted((a, b) => a - b);
  const worstMs = times.at(-1);
  const medianMs = times[Math.floor((times.length - 1) / 2)];
  return worstMs === undefined || medianMs === undefined ? undefined : { medianMs, worstMs };
}
