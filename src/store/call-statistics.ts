import { type SQL, sql } from 'drizzle-orm';
import { hasFailed } from './call-match.ts';
import type { Db } from './db.ts';
import { calls } from './schema/calls.ts';

export interface CallStatisticsParams {
  readonly teamId: string;
  readonly startDate: Date;
  readonly endDate: Date;
  readonly interval: 'hour' | 'day';
  /** Time zone of hours and days, as an IANA name. */
  readonly timeZone: string;
  readonly assistantId?: string | undefined;
}

/** Figures of the calls that started in an hour, in a day or in the whole range. */
export interface CallFigures {
  readonly calls: number;
  readonly failed: number;
  readonly talkSeconds: number;
  readonly turns: number;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
}

export interface CallCounts {
  readonly live: number;
  readonly total: CallFigures;
  /** Intervals with calls, by their start in epoch ms. */
  readonly intervals: ReadonlyMap<number, CallFigures>;
  readonly endReasons: readonly {
    readonly endReason: string;
    readonly calls: number;
    readonly failed: number;
  }[];
}

const NOTHING: CallFigures = { calls: 0, failed: 0, talkSeconds: 0, turns: 0 };
const MAX_REASONS = 50;

/** Counts a team's calls, by hour or day and in total. */
export async function countCalls(db: Db, params: CallStatisticsParams): Promise<CallCounts> {
  const chosen = chosenCalls(params);
  const [counts, times, endReasons, live] = await Promise.all([
    readCounts(db, params, chosen),
    readTimes(db, params, chosen),
    readEndReasons(db, chosen),
    readLive(db, params),
  ]);
  const merge = (at: number | null): CallFigures => ({
    ...NOTHING,
    ...counts.get(at),
    ...times.get(at),
  });
  const intervals = [...counts.keys()].filter((at) => at !== null);
  return {
    live,
    total: merge(null),
    intervals: new Map(intervals.map((at) => [at, merge(at)])),
    endReasons,
  };
}

function chosenCalls({ teamId, startDate, endDate, assistantId }: CallStatisticsParams): SQL {
  const ofAssistant = assistantId === undefined ? sql`` : sql`and assistant_id = ${assistantId}`;
  return sql`team_id = ${teamId} and start_at >= ${startDate.toISOString()}::timestamptz
    and start_at <= ${endDate.toISOString()}::timestamptz ${ofAssistant}`;
}

/** Start of the interval a call belongs to, in epoch ms; null stands for the total. */
function intervalOf({ interval, timeZone }: CallStatisticsParams): SQL {
  return sql`extract(epoch from date_trunc(${interval}::text, start_at, ${timeZone}::text)) * 1000`;
}

type ByInterval = ReadonlyMap<number | null, Partial<CallFigures>>;

async function readCounts(db: Db, params: CallStatisticsParams, chosen: SQL): Promise<ByInterval> {
  const { rows } = await db.execute<Record<'at' | 'calls' | 'failed' | 'seconds', string | null>>(
    sql`with chosen as (select *, ${intervalOf(params)} as at from ${calls} where ${chosen})
      select at, count(*) as calls, count(*) filter (where ${hasFailed}) as failed,
        sum(greatest(extract(epoch from end_at - answered_at), 0)) as seconds
      from chosen group by grouping sets ((at), ())`,
  );
  return new Map(
    rows.map((row) => [
      row.at === null ? null : Number(row.at),
      {
        calls: Number(row.calls),
        failed: Number(row.failed),
        talkSeconds: Math.round(Number(row.seconds)),
      },
    ]),
  );
}

async function readTimes(db: Db, params: CallStatisticsParams, chosen: SQL): Promise<ByInterval> {
  const { rows } = await db.execute<Record<'at' | 'turns' | 'p50' | 'p95', string | null>>(
    sql`with times as (
        select ${intervalOf(params)} as at, (turn ->> 'totalMs')::float8 as ms
        from ${calls}, jsonb_array_elements(metrics) turn where ${chosen} and turn ? 'totalMs')
      select at, count(*) as turns, percentile_cont(0.5) within group (order by ms) as p50,
        percentile_cont(0.95) within group (order by ms) as p95
      from times group by grouping sets ((at), ())`,
  );
  return new Map(
    rows
      .filter(({ turns }) => Number(turns) > 0)
      .map(({ at, turns, p50, p95 }) => [
        at === null ? null : Number(at),
        {
          turns: Number(turns),
          p50Ms: Math.round(Number(p50)),
          p95Ms: Math.round(Number(p95)),
        },
      ]),
  );
}

async function readEndReasons(db: Db, chosen: SQL): Promise<CallCounts['endReasons']> {
  const { rows } = await db.execute<Record<'reason' | 'calls' | 'failed', string>>(
    sql`select end_reason as reason, count(*) as calls, count(*) filter (where ${hasFailed}) as failed
      from ${calls} where ${chosen} and end_reason is not null
      group by end_reason order by calls desc, end_reason limit ${MAX_REASONS}`,
  );
  return rows.map(({ reason, calls, failed }) => ({
    endReason: reason,
    calls: Number(calls),
    failed: Number(failed),
  }));
}

async function readLive(db: Db, params: CallStatisticsParams): Promise<number> {
  const { teamId, assistantId } = params;
  const ofAssistant = assistantId === undefined ? sql`` : sql`and assistant_id = ${assistantId}`;
  const { rows } = await db.execute<{ live: string }>(
    sql`select count(*) as live from ${calls} where team_id = ${teamId} and end_at is null
      and status in ('ongoing', 'forwarded') ${ofAssistant}`,
  );
  return Number(rows[0]?.live);
}
