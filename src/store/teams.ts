import { asc, eq } from 'drizzle-orm';
import { uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { NotFoundError } from './errors.ts';
import { teams } from './schema/teams.ts';

export type Team = typeof teams.$inferSelect;

export async function createTeam(db: Db, params: { readonly name: string }): Promise<Team> {
  const team = { id: uuidv7(), name: params.name, createdAt: new Date() };
  await db.insert(teams).values(team);
  return team;
}

export async function findTeam(
  db: Db,
  params: { readonly teamId: string },
): Promise<Team | undefined> {
  const [team] = await db.select().from(teams).where(eq(teams.id, params.teamId));
  return team;
}

/** {@link findTeam}; throws NotFoundError. */
export async function getTeam(db: Db, params: { readonly teamId: string }): Promise<Team> {
  const team = await findTeam(db, params);
  if (!team) throw new NotFoundError('team', params.teamId);
  return team;
}

/** Teams, oldest first. */
export async function listTeams(db: Db): Promise<readonly Team[]> {
  return db.select().from(teams).orderBy(asc(teams.id));
}
