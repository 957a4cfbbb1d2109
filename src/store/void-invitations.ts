import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from './db.ts';
import { RoleLostError } from './errors.ts';
import { invitations, people } from './schema/people.ts';
import { apiKeys } from './schema/teams.ts';
import { lockTeam } from './teams.ts';

interface Inviter {
  readonly teamId: string;
  /** Of the person or the API key. */
  readonly id: string;
}

/** Voids the invitations of somebody who may invite no more. The transaction holds the team's lock. */
export async function voidInvitationsOf(tx: Db, { teamId, id }: Inviter): Promise<void> {
  await tx
    .delete(invitations)
    .where(and(eq(invitations.teamId, teamId), eq(invitations.inviterId, id)));
}

/** Throws RoleLostError if somebody was removed or got another role since their request was let in. */
export async function refuseLostInviter(
  tx: Db,
  { teamId, id }: { readonly teamId: string; readonly id: string | undefined },
): Promise<void> {
  if (id === undefined) return;
  await lockTeam(tx, { teamId });
  const isAdmin = [
    ...(await tx
      .select({ id: people.id })
      .from(people)
      .where(and(eq(people.teamId, teamId), eq(people.id, id), eq(people.role, 'admin')))),
    ...(await tx
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(
        and(
          ...[eq(apiKeys.teamId, teamId), eq(apiKeys.id, id)],
          ...[eq(apiKeys.role, 'admin'), isNull(apiKeys.revokedAt)],
        ),
      )),
  ];
  if (isAdmin.length === 0) throw new RoleLostError();
}
