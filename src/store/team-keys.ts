import { randomBytes } from 'node:crypto';
import { and, desc, eq, isNotNull, isNull, lt, notExists, sql } from 'drizzle-orm';
import { uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { teamKeys } from './schema/privacy.ts';
import { teams } from './schema/teams.ts';
import { sealerOf } from './sealing.ts';
import type { TeamKey } from './team-keyring.ts';

interface OfTeam {
  readonly teamId: string;
}

const KEY_BYTES = 32;
const MAX_KEYS = 100;

/** Gives a team another key; what earlier ones have encrypted is read with those. */
export async function addTeamKey(db: Db, { teamId }: OfTeam): Promise<TeamKey> {
  const createdAt = new Date();
  const key = { id: uuidv7(), teamId, bytes: randomBytes(KEY_BYTES), createdAt };
  const sealed = sealerOf(db).seal(key.bytes.toString('base64'), teamId);
  await db.insert(teamKeys).values({ id: key.id, teamId, key: sealed, createdAt });
  return key;
}

/** A key by its id, of whichever team; undefined once it was thrown away. */
export async function findTeamKey(
  db: Db,
  { id }: { readonly id: string },
): Promise<TeamKey | undefined> {
  const [row] = await db.select().from(teamKeys).where(eq(teamKeys.id, id));
  return row && opened(db, row);
}

/** The key that encrypts what is new, if the team has one. */
export async function newestTeamKey(db: Db, { teamId }: OfTeam): Promise<TeamKey | undefined> {
  const [newest] = await listTeamKeys(db, { teamId });
  return newest;
}

/** All keys of a team, the newest first: more than one until a job has encrypted everything with it. */
export async function listTeamKeys(db: Db, { teamId }: OfTeam): Promise<readonly TeamKey[]> {
  const rows = await db
    .select()
    .from(teamKeys)
    .where(eq(teamKeys.teamId, teamId))
    .orderBy(desc(teamKeys.id))
    .limit(MAX_KEYS);
  return rows.map((row) => opened(db, row));
}

/** Throws away the keys before this one. What they have encrypted cannot be read any more. */
export async function removeFormerKeys(
  db: Db,
  { teamId, before }: OfTeam & { readonly before: string },
): Promise<void> {
  await db.delete(teamKeys).where(and(eq(teamKeys.teamId, teamId), lt(teamKeys.id, before)));
}

/** Teams of which something may be in the clear, or under a former key. */
export async function listTeamsToEncrypt(db: Db): Promise<readonly string[]> {
  const complete = db
    .select({ one: sql`1` })
    .from(teamKeys)
    .where(and(eq(teamKeys.teamId, teams.id), isNotNull(teamKeys.completedAt)));
  const rows = await db
    .select({ id: teams.id })
    .from(teams)
    .where(and(notExists(complete), isNull(teams.deletedAt)));
  return rows.map(({ id }) => id);
}

/** Everything of a team's ended calls is encrypted with this key. */
export async function completeTeamKey(db: Db, { id }: { readonly id: string }): Promise<void> {
  await db.update(teamKeys).set({ completedAt: new Date() }).where(eq(teamKeys.id, id));
}

/** From now on there will be something in the clear of every team. */
export async function reopenTeamKeys(db: Db): Promise<void> {
  await db.update(teamKeys).set({ completedAt: null }).where(isNotNull(teamKeys.completedAt));
}

function opened(db: Db, { id, teamId, key, createdAt }: typeof teamKeys.$inferSelect): TeamKey {
  const bytes = Buffer.from(sealerOf(db).open(key, teamId), 'base64');
  return { id, teamId, bytes, createdAt };
}
