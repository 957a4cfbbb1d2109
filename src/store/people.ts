import { and, desc, eq, isNull, ne, or } from 'drizzle-orm';
import type { Role } from '../contract/role.ts';
import { refuseWithoutAdmin } from './admins.ts';
import type { Db } from './db.ts';
import { EmailTakenError, NotFoundError, RoleLostError } from './errors.ts';
import { listed, type Narrowing } from './listed.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import { people, sessions } from './schema/people.ts';
import { lockTeam } from './teams.ts';
import { voidInvitationsOf } from './void-invitations.ts';

/** Somebody who signs in. Secrets are hashed or sealed. */
export type Person = typeof people.$inferSelect;

interface One {
  readonly teamId: string;
  readonly id: string;
}

/** By whom a change is asked for; absent: not by a person. */
interface Asked {
  readonly by?: string | undefined;
}

const own = ({ teamId, id }: One) => and(eq(people.teamId, teamId), eq(people.id, id));

/** The form in which addresses are kept and compared. */
export const canonicalEmail = (email: string): string => email.trim().toLowerCase();

/** Adds a person. Throws EmailTakenError. */
export async function insertPerson(
  tx: Db,
  person: Pick<Person, 'id' | 'teamId' | 'email' | 'name' | 'role' | 'createdAt'> & Partial<Person>,
): Promise<Person> {
  const [added] = await tx.insert(people).values(person).onConflictDoNothing().returning();
  if (!added) throw new EmailTakenError();
  return added;
}

export async function findPersonByEmail(db: Db, email: string): Promise<Person | undefined> {
  const [person] = await db
    .select()
    .from(people)
    .where(eq(people.email, canonicalEmail(email)));
  return person;
}

/** A person as the provider of OpenID Connect knows them. */
export interface OpenIdSubject {
  readonly issuer: string;
  readonly subject: string;
}

export async function findPersonByOpenId(
  db: Db,
  { issuer, subject }: OpenIdSubject,
): Promise<Person | undefined> {
  const [person] = await db
    .select()
    .from(people)
    .where(and(eq(people.openIdIssuer, issuer), eq(people.openIdSubject, subject)));
  return person;
}

/**
 * Ties a person to a subject of a provider, unless they are tied to another one there. A tie to another provider, the
 * former one, gives way. Resolves with whether it was done.
 */
export async function linkOpenId(
  db: Db,
  { id, issuer, subject }: OpenIdSubject & { readonly id: string },
): Promise<boolean> {
  const linked = await db
    .update(people)
    .set({ openIdIssuer: issuer, openIdSubject: subject })
    .where(
      and(eq(people.id, id), or(isNull(people.openIdSubject), ne(people.openIdIssuer, issuer))),
    )
    .returning({ id: people.id });
  return linked.length > 0;
}

/** Throws NotFoundError. */
export async function getPerson(db: Db, params: One): Promise<Person> {
  const [person] = await db.select().from(people).where(own(params));
  if (!person) throw new NotFoundError('person', params.id);
  return person;
}

/** Newest first. */
export async function pagePeople(
  db: Db,
  params: { readonly teamId: string } & PageRequest & Narrowing,
): Promise<Page<Person>> {
  const { limit } = params;
  const query = db
    .select()
    .from(people)
    .where(listed(people, params, [people.name, people.email, people.role]))
    .orderBy(desc(people.id));
  return toPage(await (limit === undefined ? query : query.limit(limit + 1)), limit);
}

/** Changes name or role; another role ends all sessions. Throws NotFoundError, LastAdminError or RoleLostError. */
export async function updatePerson(
  db: Db,
  params: One &
    Asked & {
      readonly change: { readonly name?: string | undefined; readonly role?: Role | undefined };
    },
): Promise<Person> {
  const { change } = params;
  return db.transaction(async (tx) => {
    const person = await lockPerson(tx, params);
    const { name = person.name, role = person.role } = change;
    if (role !== person.role) {
      if (person.role === 'admin') await refuseWithoutAdmin(tx, person);
      await endSessionsOf(tx, person);
      await voidInvitationsOf(tx, person);
    }
    return writePerson(tx, person, { name, role });
  });
}

/** Removes a person and ends all sessions. Throws NotFoundError, LastAdminError or RoleLostError. */
export async function removePerson(db: Db, params: One & Asked): Promise<void> {
  await db.transaction(async (tx) => {
    const person = await lockPerson(tx, params);
    if (person.role === 'admin') await refuseWithoutAdmin(tx, person);
    await voidInvitationsOf(tx, person);
    await tx.delete(people).where(own(params));
  });
}

/** Reads a person for a change that only admins may make. */
async function lockPerson(tx: Db, { teamId, id, by }: One & Asked): Promise<Person> {
  // The lock is the team's, so that two admins cannot remove each other at once: the second one is none by then.
  await lockTeam(tx, { teamId });
  if (by !== undefined) {
    const [asking] = await tx
      .select()
      .from(people)
      .where(own({ teamId, id: by }));
    if (asking?.role !== 'admin') throw new RoleLostError();
  }
  return getPerson(tx, { teamId, id });
}

/** Changes columns of a person. Throws NotFoundError. */
export async function writePerson(db: Db, one: One, change: Partial<Person>): Promise<Person> {
  const [person] = await db.update(people).set(change).where(own(one)).returning();
  if (!person) throw new NotFoundError('person', one.id);
  return person;
}

/**
 * Ends all sessions of a person, or all but one. What makes their former password or factor void is written before, in
 * the same transaction: else a sign-in at the same time would begin a session that goes on.
 */
export async function endSessionsOf(
  db: Db,
  { id }: { readonly id: string },
  except?: string,
): Promise<void> {
  await db
    .delete(sessions)
    .where(
      and(eq(sessions.personId, id), except === undefined ? undefined : ne(sessions.id, except)),
    );
}
