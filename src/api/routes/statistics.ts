import { DateTime } from 'luxon';
import type { Contract } from '../../contract/contract.ts';
import { Problem } from '../../contract/errors.ts';
import { MAX_INTERVALS } from '../../contract/statistics.ts';
import { countCalls } from '../../store/call-statistics.ts';
import type { ApiDeps } from '../deps.ts';
import { type Routing, serve } from '../route.ts';

const WEEK_MS = 7 * 86_400_000;

export function statisticsRoutes(
  routing: Routing,
  operations: Contract['statistics'],
  { db, now }: ApiDeps & { readonly now: () => number },
): void {
  serve(routing, operations.calls, async ({ teamId, query }) => {
    const endDate = new Date(query.endDate ?? now());
    const startDate = new Date(query.startDate ?? endDate.getTime() - WEEK_MS);
    const starts = intervalStarts(startDate, endDate, query);
    const counts = await countCalls(db, { ...query, teamId, startDate, endDate });
    return {
      startDate: startDate.toISOString(),
      endDate: endDate.toISOString(),
      live: counts.live,
      ...counts.total,
      intervals: starts.map((at) => ({
        startAt: new Date(at).toISOString(),
        ...(counts.intervals.get(at) ?? { calls: 0, failed: 0, talkSeconds: 0, turns: 0 }),
      })),
      endReasons: [...counts.endReasons],
    };
  });
}

/** Start of each hour or day in the range, epoch ms; the first may lie before the range. */
function intervalStarts(
  startDate: Date,
  endDate: Date,
  { interval, timeZone }: { readonly interval: 'hour' | 'day'; readonly timeZone: string },
): number[] {
  const first = DateTime.fromJSDate(startDate, { zone: timeZone }).startOf(interval);
  const starts: number[] = [];
  for (let step = 0; ; step++) {
    const at = first.plus({ [interval]: step }).toMillis();
    if (at > endDate.getTime()) return starts;
    if (starts.length === MAX_INTERVALS) throw tooMany(interval);
    starts.push(at);
  }
}

function tooMany(interval: string): Problem {
  const message = `must be at most ${MAX_INTERVALS} ${interval}s before endDate`;
  return new Problem({ kind: 'invalid', message, faults: [{ path: 'startDate', message }] });
}
