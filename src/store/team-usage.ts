import { sql } from 'drizzle-orm';
import type { TeamUsage } from '../contract/team.ts';
import type { UsageLine } from '../contract/usage.ts';
import type { Db } from './db.ts';
import { calls } from './schema/calls.ts';
import { MEASURES, measure } from './team-limits.ts';

interface UsageParams {
  readonly teamId: string;
  /** First and last day, UTC, as in 2026-01-31. */
  readonly from: string;
  readonly to: string;
}

type Day = TeamUsage['days'][number];

/** What a team uses now. */
export async function readUsageNow(
  db: Db,
  params: { readonly teamId: string; readonly now: Date },
): Promise<TeamUsage['now']> {
  const names = Object.keys(MEASURES) as (keyof typeof MEASURES)[];
  const values = await Promise.all(
    names.map(async (name) => [name, await measure(db, MEASURES[name](params))]),
  );
  const now = Object.fromEntries(values) as TeamUsage['now'];
  return { ...now, minutesThisMonth: hundredths(now.minutesThisMonth) };
}

/** What the calls of a team used, by the day on which they began. */
export async function readUsageByDay(db: Db, params: UsageParams): Promise<readonly Day[]> {
  const { teamId, from, to } = params;
  const chosen = sql`${calls} where team_id = ${teamId}
    and start_at >= ${`${from}T00:00:00Z`}::timestamptz
    and start_at < ${`${to}T00:00:00Z`}::timestamptz + interval '1 day'
    and end_reason is distinct from 'over-limit'`;
  const day = sql`to_char(start_at at time zone 'UTC', 'YYYY-MM-DD')`;
  const counts = await db.execute<{ day: string; calls: string; minutes: string }>(sql`
    select ${day} as day, count(*) as calls,
      coalesce(sum(greatest(extract(epoch from end_at - answered_at), 0)), 0) / 60 as minutes
    from ${chosen} group by 1 order by 1`);
  const lines = await db.execute<{ day: string; line: UsageLine }>(sql`
    with lines as (select ${day} as day, jsonb_array_elements(usage) as line from ${chosen})
    select day, jsonb_strip_nulls(jsonb_build_object(
        'kind', line ->> 'kind', 'vendor', line ->> 'vendor', 'model', line ->> 'model',
        'requests', sum((line ->> 'requests')::bigint),
        'inputTokens', sum((line ->> 'inputTokens')::bigint),
        'cachedTokens', sum((line ->> 'cachedTokens')::bigint),
        'outputTokens', sum((line ->> 'outputTokens')::bigint),
        'characters', sum((line ->> 'characters')::bigint),
        'audioMs', sum((line ->> 'audioMs')::bigint))) as line
    from lines group by day, line ->> 'kind', line ->> 'vendor', line ->> 'model'
    order by day, line ->> 'kind', line ->> 'vendor', line ->> 'model'`);
  const costs = await db.execute<{ day: string; currency: string; total: string }>(sql`
    select ${day} as day, cost ->> 'currency' as currency, sum((cost ->> 'total')::numeric) as total
    from ${chosen} and cost is not null group by 1, 2 order by 1, 2`);
  return counts.rows.map((row) => ({
    day: row.day,
    calls: Number(row.calls),
    minutes: hundredths(Number(row.minutes)),
    vendors: lines.rows.filter((one) => one.day === row.day).map(({ line }) => line),
    cost: Object.fromEntries(
      costs.rows
        .filter((one) => one.day === row.day)
        .map(({ currency, total }) => [currency, Number(total)]),
    ),
  }));
}

const hundredths = (value: number): number => Math.round(value * 100) / 100;
