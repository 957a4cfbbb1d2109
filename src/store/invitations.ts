import { and, desc, eq, gt, isNull, lt } from 'drizzle-orm';
import type { Role } from '../contract/role.ts';
import { newToken, uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { EmailTakenError, NotFoundError } from './errors.ts';
import { listed, type Narrowing } from './listed.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import { canonicalEmail, findPersonByEmail, insertPerson, type Person } from './people.ts';
import { invitations } from './schema/people.ts';
import { teams } from './schema/teams.ts';
import { secretHash } from './secret-hash.ts';
import { refuseSuspended } from './team-limits.ts';
import { refuseLostInviter } from './void-invitations.ts';

type Row = typeof invitations.$inferSelect;

/** An invitation without its token. */
export type Invitation = Omit<Row, 'hash' | 'inviterId'>;

const LIFE_MS = 7 * 24 * 3600_000;

const shown = {
  id: invitations.id,
  teamId: invitations.teamId,
  email: invitations.email,
  role: invitations.role,
  invitedBy: invitations.invitedBy,
  createdAt: invitations.createdAt,
  expiresAt: invitations.expiresAt,
};

/**
 * Invites somebody; an earlier invitation of the address is void. `token` is the secret, which cannot be read again.
 * Throws EmailTakenError if the address is that of somebody in the team; that of another team is found out by whoever
 * has the link, so that teams learn nothing of each other. Throws RoleLostError if the inviter may invite no more.
 */
export async function createInvitation(
  db: Db,
  params: {
    readonly teamId: string;
    /** Null: whoever has the link chooses it. */
    readonly email: string | null;
    readonly role: Role;
    /** Absent: the service itself. */
    readonly inviter?: { readonly id: string; readonly name: string } | undefined;
    readonly now: Date;
  },
): Promise<{ readonly invitation: Invitation; readonly token: string }> {
  const { teamId, role, inviter, now } = params;
  const email = params.email === null ? null : canonicalEmail(params.email);
  const token = newToken();
  const invitation = {
    ...{ id: uuidv7(), teamId, email, role, invitedBy: inviter?.name ?? null },
    ...{ createdAt: now, expiresAt: new Date(now.getTime() + LIFE_MS) },
  };
  await db.transaction(async (tx) => {
    await refuseLostInviter(tx, { teamId, id: inviter?.id });
    await tx.delete(invitations).where(lt(invitations.expiresAt, now));
    if (email !== null) {
      const known = await findPersonByEmail(tx, email);
      if (known?.teamId === teamId) throw new EmailTakenError();
    }
    const same = email === null ? isNull(invitations.email) : eq(invitations.email, email);
    await tx.delete(invitations).where(and(eq(invitations.teamId, teamId), same));
    await tx.insert(invitations).values({
      ...invitation,
      inviterId: inviter?.id ?? null,
      hash: secretHash(token),
    });
  });
  return { invitation, token };
}

/** Open invitations, newest first. */
export async function pageInvitations(
  db: Db,
  params: { readonly teamId: string; readonly now: Date } & PageRequest & Narrowing,
): Promise<Page<Invitation>> {
  const { now, limit } = params;
  const query = db
    .select(shown)
    .from(invitations)
    .where(
      and(
        gt(invitations.expiresAt, now),
        listed(invitations, params, [invitations.email, invitations.role]),
      ),
    )
    .orderBy(desc(invitations.id));
  return toPage(await (limit === undefined ? query : query.limit(limit + 1)), limit);
}

/** Throws NotFoundError. */
export async function revokeInvitation(
  db: Db,
  { teamId, id }: { readonly teamId: string; readonly id: string },
): Promise<void> {
  const gone = await db
    .delete(invitations)
    .where(and(eq(invitations.teamId, teamId), eq(invitations.id, id)))
    .returning({ id: invitations.id });
  if (gone.length === 0) throw new NotFoundError('invitation', id);
}

interface Presented {
  readonly token: string;
  readonly now: Date;
}

/** The open invitation of a token, with the name of its team. Throws NotFoundError or SuspendedError. */
export async function getOpenInvitation(
  db: Db,
  { token, now }: Presented,
): Promise<Invitation & { readonly teamName: string }> {
  const [found] = await db
    .select({ invitation: shown, team: teams })
    .from(invitations)
    .innerJoin(teams, eq(teams.id, invitations.teamId))
    .where(and(eq(invitations.hash, secretHash(token)), gt(invitations.expiresAt, now)));
  if (!found) throw new NotFoundError('invitation', '');
  refuseSuspended(found.team);
  return { ...found.invitation, teamName: found.team.name };
}

/**
 * Makes a person of an invitation, which works once even for requests at the same time. Throws NotFoundError,
 * SuspendedError or EmailTakenError; then the invitation stays.
 */
export async function acceptInvitation(
  db: Db,
  params: Presented & {
    /** The address of the person; another than that of the invitation is refused as not found. */
    readonly email: string;
    readonly name: string;
  } & Partial<Pick<Person, 'passwordHash' | 'openIdIssuer' | 'openIdSubject'>>,
): Promise<Person> {
  const { token, now, name, passwordHash, openIdIssuer, openIdSubject } = params;
  const email = canonicalEmail(params.email);
  return db.transaction(async (tx) => {
    const { id, teamId, role, ...invited } = await getOpenInvitation(tx, { token, now });
    if (invited.email !== null && invited.email !== email)
      throw new NotFoundError('invitation', id);
    await revokeInvitation(tx, { teamId, id });
    return insertPerson(tx, {
      ...{ id: uuidv7(), teamId, email, name, role, createdAt: now },
      ...{ passwordHash, openIdIssuer, openIdSubject },
    });
  });
}
