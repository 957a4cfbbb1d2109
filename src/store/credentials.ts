import { and, eq, gt, inArray, isNull, or } from 'drizzle-orm';
import { mayDo, type Role } from '../contract/role.ts';
import type { Db } from './db.ts';
import { people, sessions } from './schema/people.ts';
import { apiKeys, teams } from './schema/teams.ts';

/** With what somebody was let in: an API key or a session, with its name for the audit log. */
export interface Holder {
  readonly type: 'api-key' | 'person';
  /** Of the key or the person. */
  readonly id: string;
  readonly name: string;
  readonly sessionId?: string | undefined;
}

/** Names one credential among others. */
export const credentialId = ({ id, sessionId }: Holder): string => sessionId ?? id;

/** The {@link credentialId}s of those that still let somebody of this role in. */
export async function findStillAllowed(
  db: Db,
  params: { readonly holders: readonly Holder[]; readonly least: Role; readonly now: Date },
): Promise<ReadonlySet<string>> {
  const { holders, least, now } = params;
  const idsOf = (type: Holder['type']) =>
    holders.filter((holder) => holder.type === type).map(credentialId);
  const [keys, open] = [idsOf('api-key'), idsOf('person')];
  const active = isNull(teams.suspendedAt);
  const found = [
    ...(keys.length === 0
      ? []
      : await db
          .select({ id: apiKeys.id, role: apiKeys.role })
          .from(apiKeys)
          .innerJoin(teams, eq(teams.id, apiKeys.teamId))
          .where(
            and(
              inArray(apiKeys.id, keys),
              isNull(apiKeys.revokedAt),
              or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
              active,
            ),
          )),
    ...(open.length === 0
      ? []
      : await db
          .select({ id: sessions.id, role: people.role })
          .from(sessions)
          .innerJoin(people, eq(people.id, sessions.personId))
          .innerJoin(teams, eq(teams.id, people.teamId))
          .where(and(inArray(sessions.id, open), gt(sessions.expiresAt, now), active))),
  ];
  return new Set(found.filter(({ role }) => mayDo(role, least)).map(({ id }) => id));
}
