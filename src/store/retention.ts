import { type SQL, sql } from 'drizzle-orm';
import type { RetentionDays } from '../contract/privacy.ts';
import type { Db } from './db.ts';
import { matchingCalls } from './delete-calls.ts';
import { formsOnHold, isFree } from './holds.ts';
import { lockDeletions } from './lock-deletions.ts';

type Kind = keyof RetentionDays;

interface OfTeam {
  readonly teamId: string;
}

interface Slice extends OfTeam {
  readonly kind: Kind;
  readonly now: Date;
  readonly limit: number;
}

/** Analyses of calls that ended longer ago are not waited for. */
const PATIENCE_DAYS = 7;

const daysIn = (rule: string, kind: Kind) => sql`(${sql.raw(rule)} ->> ${kind}::text)::int`;
/** The rule that a call began with; an index finds the calls that have one. */
const OWN_RULE = sql`snapshot #>> '{assistant,retentionDays}'`;

/** The shortest of the rules of operator, team and assistant, days; null without any. */
const daysOf = (kind: Kind) => sql`least(
  (select ${daysIn('most_retention_days', kind)} from teams where id = calls.team_id),
  (select ${daysIn('retention_days', kind)} from teams where id = calls.team_id),
  case when exists (select from assistants where id = calls.assistant_id and team_id = calls.team_id)
    then (select ${daysIn("(config -> 'retentionDays')", kind)} from assistants where id = calls.assistant_id)
    else ${daysIn("(snapshot #> '{assistant,retentionDays}')", kind)} end)`;

/**
 * True of calls whose time is over, that are not on hold, and that nobody works on any more. Sound may lie in files of
 * which the record says nothing: sealed originals, and recordings of calls that closed early.
 */
const isExpired = (kind: Kind, now: Date) => sql`(
  calls.end_at < ${now.toISOString()}::timestamptz - ${daysOf(kind)} * interval '1 day'
  and (calls.wrap_up = 'done'
    or calls.end_at < ${now.toISOString()}::timestamptz - ${PATIENCE_DAYS} * interval '1 day')
  and ${hasMore(kind)}
  and ${isFree})`;

const hasMore = (kind: Kind) =>
  kind === 'sound' ? sql`calls.sound_removed_at is null` : sql`true`;

/** The teams where a rule may have something to do. */
export async function listTeamsWithRules(
  db: Db,
  { kind }: { readonly kind: Kind },
): Promise<readonly string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`select id from teams
    where ${daysIn('most_retention_days', kind)} is not null
      or ${daysIn('retention_days', kind)} is not null
      or exists (select from assistants where team_id = teams.id
        and ${daysIn("(config -> 'retentionDays')", kind)} is not null)
      or exists (select from calls where team_id = teams.id and (${OWN_RULE}) <> '{}')`);
  return rows.map(({ id }) => id);
}

/**
 * Expired calls of a team. Each of the three kinds of rules has an index that finds the calls that began long enough
 * ago, so that those which are kept for longer are not looked at.
 */
export async function listExpired(db: Db, slice: Slice): Promise<readonly string[]> {
  const { teamId, kind, now, limit } = slice;
  const ofCalls = (days: SQL, more: SQL) => sql`
    select id from calls where team_id = ${teamId} and ${hasMore(kind)}
      and start_at < ${now.toISOString()}::timestamptz - (${days}) * interval '1 day'
      and ${more} and ${isExpired(kind, now)} limit ${limit}`;
  const byRule = [
    ofCalls(
      sql`select least(${daysIn('most_retention_days', kind)}, ${daysIn('retention_days', kind)})
        from teams where id = ${teamId}`,
      sql`true`,
    ),
    sql`select found.id from assistants cross join lateral (${ofCalls(
      daysIn("(config -> 'retentionDays')", kind),
      sql`assistant_id = assistants.id`,
    )}) found where assistants.team_id = ${teamId}
      and ${daysIn("(config -> 'retentionDays')", kind)} is not null limit ${limit}`,
    ofCalls(sql`1`, sql`(${OWN_RULE}) <> '{}'`),
  ];
  const found = new Set<string>();
  for (const rule of byRule) {
    if (found.size >= limit) break;
    const { rows } = await db.execute<{ id: string }>(rule);
    for (const { id } of rows) found.add(id);
  }
  return [...found].toSorted().slice(0, limit);
}

/** The condition of those of these calls that are expired still. */
export const stillExpired = ({
  now,
  ...calls
}: OfTeam & { readonly ids: readonly string[]; readonly now: Date }): SQL =>
  sql`${matchingCalls(calls)} and ${isExpired('text', now)}`;

interface ExpiredSound {
  readonly id: string;
  readonly recordingPath: string | null;
  readonly epoch: number;
}

/** Calls of a team whose sound has expired. */
export async function listExpiredSounds(
  db: Db,
  params: Omit<Slice, 'kind'>,
): Promise<readonly ExpiredSound[]> {
  const ids = await listExpired(db, { ...params, kind: 'sound' });
  const { rows } = await db.execute<{ id: string; epoch: number; path: string | null }>(sql`
    select id, epoch, snapshot ->> 'recordingPath' as path from calls
    where id = any(${sql.param(ids)})`);
  return rows.map(({ id, epoch, path: recordingPath }) => ({ id, epoch, recordingPath }));
}

/** The sound of these calls is removed. */
export async function forgetRecordings(
  db: Db,
  params: OfTeam & { readonly ids: readonly string[]; readonly now: Date },
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockDeletions(tx, params);
    await tx.execute(sql`update calls
      set recording = null, sound_removed_at = ${params.now.toISOString()}::timestamptz
      where team_id = ${params.teamId} and id = any(${sql.param([...params.ids])})`);
  });
}

/** Deletes runs of tests whose time is over, up to a limit for each team; returns their number. */
export async function deleteExpiredTestRuns(
  db: Db,
  params: { readonly now: Date; readonly perTeam: number },
): Promise<number> {
  const { rowCount } = await db.execute(sql`
    delete from test_runs where id in (select id from test_runs where id in (
      select id from (
        select test_runs.id, row_number() over (partition by test_runs.team_id order by test_runs.id) as place
        from test_runs join teams on teams.id = test_runs.team_id
          left join assistants on assistants.id = test_runs.assistant_id
            and assistants.team_id = test_runs.team_id
        where test_runs.finished_at < ${params.now.toISOString()}::timestamptz - interval '1 day' * least(
            (teams.most_retention_days ->> 'text')::int, (teams.retention_days ->> 'text')::int,
            (assistants.config #>> '{retentionDays,text}')::int)) as expired
      where place <= ${params.perTeam}) for update skip locked)`);
  return rowCount ?? 0;
}

/** Deletes texts whose time is over, up to a limit for each team; returns their number. */
export async function deleteExpiredTextsByRule(
  db: Db,
  params: { readonly now: Date; readonly perTeam: number },
): Promise<number> {
  // Texts that somebody else deletes just now are left to them.
  const { rowCount } = await db.execute(sql`
    delete from texts where id in (select id from texts where id in (
      select id from (
        select texts.id, row_number() over (partition by texts.team_id order by texts.id) as place
        from texts join teams on teams.id = texts.team_id
          left join assistants on assistants.id = texts.assistant_id
        where texts.created_at < ${params.now.toISOString()}::timestamptz - interval '1 day' * least(
            (teams.most_retention_days ->> 'text')::int, (teams.retention_days ->> 'text')::int,
            (assistants.config #>> '{retentionDays,text}')::int)
          and not exists (select from number_holds hold
            where hold.team_id = texts.team_id and texts.user_number = any(${formsOnHold}))) as expired
      where place <= ${params.perTeam}) for update skip locked)`);
  return rowCount ?? 0;
}
