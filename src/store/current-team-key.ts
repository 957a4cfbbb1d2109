import type { Db } from './db.ts';
import type { TeamKey } from './team-keyring.ts';
import { addTeamKey, newestTeamKey } from './team-keys.ts';
import { lockTeam } from './teams.ts';

/** The key that encrypts what is new; a team that has none gets one. */
export async function currentTeamKey(
  db: Db,
  { teamId }: { readonly teamId: string },
): Promise<TeamKey> {
  const known = await newestTeamKey(db, { teamId });
  if (known) return known;
  return db.transaction(async (tx) => {
    // Two calls at once make one key.
    await lockTeam(tx, { teamId });
    return (await newestTeamKey(tx, { teamId })) ?? addTeamKey(tx, { teamId });
  });
}
