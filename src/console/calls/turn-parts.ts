import type { TurnMetrics } from '../../client/api.generated.ts';
import { spanText } from './call-names.ts';

/** One stage of the time between the end of the caller's speech and the start of the answer. */
export interface TurnPart {
  readonly name: string;
  readonly kind: 'endpoint' | 'recogniser' | 'model' | 'voice' | 'playout';
  readonly fromMs: number;
  readonly toMs: number;
}

const STAGES = [
  ['endpointMs', 'Endpointing', 'endpoint'],
  ['recogniserMs', 'Transcription', 'recogniser'],
  ['modelMs', 'Model', 'model'],
  ['voiceMs', 'Voice', 'voice'],
  ['totalMs', 'Playout', 'playout'],
] as const;

/**
 * Splits the latency of a turn into stages. Each stage ends at its own time; overlap, such as with a model that was
 * asked before the turn ended, counts for the stage that ended last.
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

/** The turns that were answered, in order. */
export function answeredTurns(turns: readonly TurnMetrics[]): readonly TurnMetrics[] {
  return turns.filter(({ totalMs }) => totalMs !== undefined);
}

/** The stages in words with their lengths, which add up to the whole latency. */
export function partsText(parts: readonly TurnPart[]): string {
  return parts.map(({ name, fromMs, toMs }) => `${name} ${spanText(toMs - fromMs)}`).join(' · ');
}

/** Meaning of the stages' colours. */
export const STAGE_LEGEND = STAGES.map(([, name, kind]) => ({ name, kind }));

/** Median and longest response time in ms. */
export function answerTimes(
  turns: readonly TurnMetrics[],
): { readonly medianMs: number; readonly worstMs: number } | undefined {
  const times = turns.flatMap(({ totalMs }) => totalMs ?? []).toSorted((a, b) => a - b);
  const worstMs = times.at(-1);
  const medianMs = times[Math.floor((times.length - 1) / 2)];
  return worstMs === undefined || medianMs === undefined ? undefined : { medianMs, worstMs };
}
