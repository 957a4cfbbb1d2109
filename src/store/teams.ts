import { and, asc, desc, eq, lt, sql } from 'drizzle-orm';
import type { RetentionDays } from '../contract/privacy.ts';
import type { TeamLimits } from '../contract/team.ts';
import { uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { FirstTeamError, HeldError, NotFoundError, TeamDeletedError } from './errors.ts';
import { hasHolds } from './holds.ts';
import { containing, type Narrowing } from './listed.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import { teams } from './schema/teams.ts';

export type Team = typeof teams.$inferSelect;

interface One {
  readonly teamId: string;
}

export async function createTeam(
  db: Db,
  params: {
    readonly name: string;
    readonly limits?: TeamLimits;
    readonly retentionDays?: RetentionDays;
  },
): Promise<Team> {
  const { name, limits = {}, retentionDays: mostRetentionDays = {} } = params;
  const [team] = await db
    .insert(teams)
    .values({ id: uuidv7(), name, limits, mostRetentionDays, createdAt: new Date() })
    .returning();
  return team as Team;
}

export async function findTeam(db: Db, params: One): Promise<Team | undefined> {
  const [team] = await db.select().from(teams).where(eq(teams.id, params.teamId));
  return team;
}

/** {@link findTeam}; throws NotFoundError. */
export async function getTeam(db: Db, params: One): Promise<Team> {
  return found(await findTeam(db, params), params);
}

/**
 * Reads a team and lets no other transaction change it, its keys or its number of calls until this one ends. Its other
 * rows can be written meanwhile.
 */
export async function lockTeam(tx: Db, params: One): Promise<Team> {
  const [team] = await tx
    .select()
    .from(teams)
    .where(eq(teams.id, params.teamId))
    .for('no key update');
  return found(team, params);
}

/** Teams, oldest first. */
export async function listTeams(db: Db): Promise<readonly Team[]> {
  return db.select().from(teams).orderBy(asc(teams.id));
}

/** Newest first. */
export async function pageTeams(
  db: Db,
  { limit, cursor, search }: PageRequest & Pick<Narrowing, 'search'>,
): Promise<Page<Team>> {
  const query = db
    .select()
    .from(teams)
    .where(
      and(
        cursor === undefined ? undefined : lt(teams.id, cursor),
        ...containing(teams.id, search, [teams.name]),
      ),
    )
    .orderBy(desc(teams.id));
  return toPage(await (limit === undefined ? query : query.limit(limit + 1)), limit);
}

/** Changes what the operator sets of a team. */
export async function updateTeam(
  db: Db,
  params: One & {
    readonly change: Pick<Team, 'name' | 'limits'> & { readonly retentionDays?: RetentionDays };
  },
): Promise<Team> {
  const { name, limits, retentionDays } = params.change;
  return write(db, params, {
    ...{ name, limits },
    ...(retentionDays ? { mostRetentionDays: retentionDays } : {}),
  });
}

/** Sets the team's own rule for how long its calls are kept. */
export async function setRetentionDays(
  db: Db,
  params: One & { readonly retentionDays: RetentionDays },
): Promise<Team> {
  return write(db, params, { retentionDays: params.retentionDays });
}

/** Suspends a team; a suspended one gets the new reason. Throws TeamDeletedError. */
export async function suspendTeam(
  db: Db,
  params: One & { readonly reason: string; readonly farewell: string | null; readonly now: Date },
): Promise<Team> {
  const { reason, farewell, now } = params;
  return db.transaction(async (tx) => {
    const team = await lockTeam(tx, params);
    if (team.deletedAt) throw new TeamDeletedError();
    const suspendedAt = team.suspendedAt ?? now;
    return write(tx, params, { suspendedAt, suspensionReason: reason, farewell });
  });
}

/** Ends the suspension of a team. Throws TeamDeletedError. */
export async function resumeTeam(db: Db, params: One): Promise<Team> {
  return db.transaction(async (tx) => {
    if ((await lockTeam(tx, params)).deletedAt) throw new TeamDeletedError();
    return write(tx, params, { suspendedAt: null, suspensionReason: null, farewell: null });
  });
}

/**
 * Marks a team as deleted and suspends it for good; what it owns is still there. Throws FirstTeamError for the oldest
 * team: a key in the configuration is given to it, which must never become another's.
 */
export async function markTeamDeleted(tx: Db, params: One & { readonly now: Date }): Promise<Team> {
  const { teamId, now } = params;
  const team = await lockTeam(tx, { teamId });
  const [first] = await tx.select({ id: teams.id }).from(teams).orderBy(asc(teams.id)).limit(1);
  if (first?.id === teamId) throw new FirstTeamError();
  if (await hasHolds(tx, { teamId }))
    throw new HeldError('Calls or numbers of the team are on hold');
  return write(tx, params, {
    deletedAt: team.deletedAt ?? now,
    suspendedAt: team.suspendedAt ?? now,
    suspensionReason: 'it is being deleted',
  });
}

/** Deletes a team that is marked as deleted, with all rows that it still owns. */
export async function deleteTeam(db: Db, params: One): Promise<void> {
  await db
    .delete(teams)
    .where(sql`${eq(teams.id, params.teamId)} and ${teams.deletedAt} is not null`);
}

async function write(db: Db, params: One, change: Partial<Team>): Promise<Team> {
  const [team] = await db.update(teams).set(change).where(eq(teams.id, params.teamId)).returning();
  return found(team, params);
}

function found(team: Team | undefined, { teamId }: One): Team {
  if (!team) throw new NotFoundError('team', teamId);
  return team;
}
