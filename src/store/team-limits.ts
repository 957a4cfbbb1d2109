import { type SQL, sql } from 'drizzle-orm';
import type { LimitCode } from '../contract/team.ts';
import type { Db } from './db.ts';
import { OverLimitError, SuspendedError } from './errors.ts';
import { calls } from './schema/calls.ts';
import { faqEntries, knowledgeBases } from './schema/knowledge.ts';
import { knowledgeSegments } from './schema/knowledge-index.ts';
import { deletedCalls } from './schema/privacy.ts';
import { teamStorage, teamTalk } from './schema/team-counters.ts';
import { lockTeam, type Team } from './teams.ts';

const MIB = 1024 * 1024;

interface OfTeam {
  readonly teamId: string;
}

interface OfTeamNow extends OfTeam {
  readonly now: Date;
}

/** Calls that a limit has refused are no calls of the team. */
export const wereTaken = sql`end_reason is distinct from 'over-limit'`;

/**
 * Measures of what a team uses now, each a query with one row and one column. What grows with all that a team has ever
 * done is kept as counters, since its row is locked meanwhile. Calls and minutes that were deleted count on.
 */
export const MEASURES = {
  liveCalls: ({ teamId }: OfTeam) =>
    sql`select count(*) from ${calls} where team_id = ${teamId} and end_at is null`,
  callsToday: ({ teamId, now }: OfTeamNow) =>
    sql`select (select count(*) from ${calls} where team_id = ${teamId}
        and start_at >= date_trunc('day', ${iso(now)}, 'UTC') and ${wereTaken})
      + (select count(*) from ${deletedCalls} where team_id = ${teamId}
        and deleted_at >= date_trunc('day', ${iso(now)}, 'UTC')
        and start_at >= date_trunc('day', ${iso(now)}, 'UTC'))`,
  minutesThisMonth: ({ teamId, now }: OfTeamNow) =>
    sql`select (
        coalesce((select seconds from ${teamTalk}
          where team_id = ${teamId} and month = date_trunc('month', ${iso(now)}, 'UTC')), 0)
        + coalesce((select sum(greatest(extract(epoch from ${iso(now)} - answered_at), 0)) from ${calls}
          where team_id = ${teamId} and end_at is null
            and start_at >= date_trunc('month', ${iso(now)}, 'UTC')), 0)) / 60`,
  fileBytes: ({ teamId }: OfTeam) =>
    sql`select coalesce((select file_bytes from ${teamStorage} where team_id = ${teamId}), 0)`,
  recordingBytes: ({ teamId }: OfTeam) =>
    sql`select coalesce((select recording_bytes from ${teamStorage} where team_id = ${teamId}), 0)`,
  knowledgePassages: ({ teamId }: OfTeam) =>
    sql`select (select count(*) from ${faqEntries} where team_id = ${teamId})
      + (select coalesce(sum(segment.passages), 0) from ${knowledgeSegments} segment
        join ${knowledgeBases} base on base.id = segment.knowledge_base_id
        where base.team_id = ${teamId} and segment.live)`,
} as const satisfies Record<string, (of: OfTeamNow) => SQL>;

const iso = (at: Date) => sql`${at.toISOString()}::timestamptz`;

/** The result of one of the {@link MEASURES}. */
export async function measure(db: Db, query: SQL): Promise<number> {
  const { rows } = await db.execute<Record<string, string>>(query);
  return Number(Object.values(rows[0] ?? {})[0]);
}

/**
 * Lets a team begin a call: throws SuspendedError or OverLimitError, else keeps other calls of the team from beginning
 * until the transaction ends, so that two at once don't take the last place both.
 */
export async function admitCall(
  tx: Db,
  params: OfTeamNow & { /** The call would be recorded. */ readonly isRecorded: boolean },
): Promise<void> {
  const { isRecorded } = params;
  const team = await lockTeam(tx, params);
  refuseSuspended(team);
  const { liveCalls, callsPerDay, minutesPerMonth } = team.limits;
  const refuse = async (code: LimitCode, most: number | undefined, query: SQL): Promise<void> => {
    if (most === undefined || (await measure(tx, query)) < most) return;
    throw new OverLimitError(code, most);
  };
  await refuse('live-calls', liveCalls, MEASURES.liveCalls(params));
  await refuse('calls-per-day', callsPerDay, MEASURES.callsToday(params));
  await refuse('minutes-per-month', minutesPerMonth, MEASURES.minutesThisMonth(params));
  if (isRecorded) await refuseOverStorage(tx, { ...params, team, moreBytes: 1 });
}

/** Throws OverLimitError if a team's files and recordings, with some more bytes, take more than its space. */
export async function refuseOverStorage(
  db: Db,
  params: OfTeam & { readonly team: Team; readonly moreBytes: number },
): Promise<void> {
  const { storageMiB } = params.team.limits;
  if (storageMiB === undefined) return;
  const files = await measure(db, MEASURES.fileBytes(params));
  const recordings = await measure(db, MEASURES.recordingBytes(params));
  if (files + recordings + params.moreBytes > storageMiB * MIB)
    throw new OverLimitError('storage', storageMiB);
}

/** Throws OverLimitError if the team's knowledge, as the transaction has changed it, has too many passages. */
export async function refuseOverKnowledge(tx: Db, params: OfTeam): Promise<void> {
  const { knowledgePassages: most } = (await lockTeam(tx, params)).limits;
  if (most === undefined || (await measure(tx, MEASURES.knowledgePassages(params))) <= most) return;
  throw new OverLimitError('knowledge-passages', most);
}

/** Throws SuspendedError. */
export function refuseSuspended({
  suspendedAt,
  suspensionReason,
}: Pick<Team, 'suspendedAt' | 'suspensionReason'>): void {
  if (suspendedAt) throw new SuspendedError(suspensionReason ?? '');
}
