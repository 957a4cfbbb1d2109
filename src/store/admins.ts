import { and, eq, isNull, ne } from 'drizzle-orm';
import type { Db } from './db.ts';
import { LastAdminError } from './errors.ts';
import { people } from './schema/people.ts';
import { apiKeys } from './schema/teams.ts';

/**
 * Throws LastAdminError unless somebody else may administer the team for good: a person, or a key that does not expire.
 * The caller holds the team's lock.
 */
export async function refuseWithoutAdmin(
  tx: Db,
  { teamId, id }: { readonly teamId: string; readonly id: string },
): Promise<void> {
  const [key] = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.teamId, teamId),
        ne(apiKeys.id, id),
        eq(apiKeys.role, 'admin'),
        isNull(apiKeys.expiresAt),
        isNull(apiKeys.revokedAt),
      ),
    )
    .limit(1);
  if (key) return;
  const [person] = await tx
    .select({ id: people.id })
    .from(people)
    .where(and(eq(people.teamId, teamId), ne(people.id, id), eq(people.role, 'admin')))
    .limit(1);
  if (!person) throw new LastAdminError();
}
