import type { CallSummary } from '../../client/api.generated.ts';

/** An alert that is older has passed: the call has gone on since. */
export const RECENT_MS = 60_000;

type Alert = NonNullable<CallSummary['alerts']>[number];
type Alerted = Pick<CallSummary, 'startAt' | 'alerts'>;

/** The alerts of the last minute, newest first, each with its age. */
export function recentAlerts(
  { startAt, alerts = [] }: Alerted,
  nowMs: number,
): readonly { readonly kind: Alert['kind']; readonly agoMs: number }[] {
  return alerts
    .map(({ kind, atMs }) => ({ kind, agoMs: Math.max(0, nowMs - Date.parse(startAt) - atMs) }))
    .filter(({ agoMs }) => agoMs < RECENT_MS)
    .sort((a, b) => a.agoMs - b.agoMs);
}

/** Calls with recent alerts first, then those with earlier ones, then the others; the longest call first in each. */
export function byUrgency<Call extends Alerted>(calls: readonly Call[], nowMs: number): Call[] {
  const rank = (call: Call): number => {
    if (recentAlerts(call, nowMs).length > 0) return 0;
    return (call.alerts ?? []).length > 0 ? 1 : 2;
  };
  return calls.toSorted(
    (a, b) => rank(a) - rank(b) || Date.parse(a.startAt) - Date.parse(b.startAt),
  );
}
