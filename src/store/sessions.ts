import { and, desc, eq, gt, lt, sql } from 'drizzle-orm';
import { newToken, uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { NotFoundError } from './errors.ts';
import type { Person } from './people.ts';
import { people, sessions } from './schema/people.ts';
import { teams } from './schema/teams.ts';
import { secretHash } from './secret-hash.ts';

export type Session = typeof sessions.$inferSelect;

/** A session ends when it was not used for so long, and after so long in any case. */
const IDLE_MS = 12 * 3600_000;
const LIFE_MS = 30 * 24 * 3600_000;
/** Time for the second factor. */
const PENDING_MS = 600_000;
/** Uses within this time of the last one are not written, so that a busy session costs no writes. */
const USE_MS = 60_000;
const MAX_AGENT_CHARS = 300;
/** Of one person; the oldest one ends when there are more. */
const MAX_SESSIONS = 50;

interface Visitor {
  readonly from: string;
  readonly userAgent: string;
  readonly now: Date;
}

/**
 * Begins a session. `token` is the secret, which cannot be read again. Resolves with undefined if the person has got
 * another password or second factor, or was removed, since the record given here was read: that has ended all sessions,
 * and whoever proved themselves by the former ones gets none.
 */
export async function createSession(
  db: Db,
  params: Visitor & {
    readonly person: Pick<Person, 'id' | 'passwordHash' | 'totpSecret'>;
    /** The second factor is still to come. */
    readonly pending: boolean;
  },
): Promise<{ readonly id: string; readonly token: string } | undefined> {
  const { person, pending, from, userAgent, now } = params;
  const { id: personId, passwordHash, totpSecret } = person;
  const token = newToken();
  const id = uuidv7();
  const expiresAt = new Date(now.getTime() + (pending ? PENDING_MS : LIFE_MS));
  await db.delete(sessions).where(lt(sessions.expiresAt, now));
  return db.transaction(async (tx) => {
    // Held until the end: what changes the person and ends the sessions comes before this or finds the new one.
    const [present] = await tx
      .select({ passwordHash: people.passwordHash, totpSecret: people.totpSecret })
      .from(people)
      .where(eq(people.id, personId))
      .for('no key update');
    if (present?.passwordHash !== passwordHash || present.totpSecret !== totpSecret)
      return undefined;
    await tx.insert(sessions).values({
      ...{ id, personId, pending, createdAt: now, expiresAt, lastUsedAt: now },
      ...{ hash: secretHash(token), lastUsedFrom: from },
      userAgent: userAgent.slice(0, MAX_AGENT_CHARS),
    });
    await tx.execute(sql`delete from ${sessions} where id in (
      select id from ${sessions} where person_id = ${personId} order by id desc offset ${MAX_SESSIONS})`);
    if (!pending) await tx.update(people).set({ lastSignInAt: now }).where(eq(people.id, personId));
    return { id, token };
  });
}

interface Presented {
  readonly token: string;
  readonly now: Date;
}

const isOpen = ({ token, now }: Presented) =>
  and(
    eq(sessions.hash, secretHash(token)),
    gt(sessions.expiresAt, now),
    gt(sessions.lastUsedAt, new Date(now.getTime() - IDLE_MS)),
  );

/** A session with whose it is and what their team may do now. */
export type SessionHolder = Awaited<ReturnType<typeof findSession>>;

/** Finds an open session, the second factor of which may still be awaited. */
export async function findSession(db: Db, params: Presented) {
  const [found] = await db
    .select({ session: sessions, person: people, team: teams })
    .from(sessions)
    .innerJoin(people, eq(people.id, sessions.personId))
    .innerJoin(teams, eq(teams.id, people.teamId))
    .where(isOpen(params));
  return found;
}

/** An open session of somebody, by its id. */
export async function findSessionById(
  db: Db,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<{ readonly session: Session; readonly person: Person } | undefined> {
  const [found] = await db
    .select({ session: sessions, person: people })
    .from(sessions)
    .innerJoin(people, eq(people.id, sessions.personId))
    .where(and(eq(sessions.id, id), eq(sessions.pending, false), gt(sessions.expiresAt, now)));
  return found;
}

/** Whoever has this session has proved themselves at the provider just now. */
export async function noteProof(
  db: Db,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<void> {
  await db.update(sessions).set({ provedAt: now }).where(eq(sessions.id, id));
}

/** Notes a use of a session, once a minute at most. */
export async function noteSessionUse(
  db: Db,
  {
    session,
    from,
    now,
  }: {
    readonly session: Pick<Session, 'id' | 'lastUsedAt'>;
    readonly from: string;
    readonly now: Date;
  },
): Promise<void> {
  const before = new Date(now.getTime() - USE_MS);
  if (session.lastUsedAt > before) return;
  await db
    .update(sessions)
    .set({ lastUsedAt: now, lastUsedFrom: from })
    .where(and(eq(sessions.id, session.id), lt(sessions.lastUsedAt, before)));
}

/** Counts an attempt at the second factor; false if there were too many, which ends the session. */
export async function takeAttempt(
  db: Db,
  { id, most }: { readonly id: string; readonly most: number },
): Promise<boolean> {
  const [counted] = await db
    .update(sessions)
    .set({ attempts: sql`${sessions.attempts} + 1` })
    .where(eq(sessions.id, id))
    .returning({ attempts: sessions.attempts });
  if (!counted) return false;
  if (counted.attempts <= most) return true;
  await db.delete(sessions).where(eq(sessions.id, id));
  return false;
}

/** Open sessions of a person, newest first; those that await a second factor are left out. */
export async function listSessions(
  db: Db,
  { personId, now }: { readonly personId: string; readonly now: Date },
): Promise<readonly Session[]> {
  return db
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.personId, personId),
        eq(sessions.pending, false),
        gt(sessions.expiresAt, now),
        gt(sessions.lastUsedAt, new Date(now.getTime() - IDLE_MS)),
      ),
    )
    .orderBy(desc(sessions.id));
}

/** Ends a session of a person. Throws NotFoundError. */
export async function endSession(
  db: Db,
  { personId, id }: { readonly personId: string; readonly id: string },
): Promise<void> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.personId, personId), eq(sessions.id, id)))
    .returning({ id: sessions.id });
  if (ended.length === 0) throw new NotFoundError('session', id);
}
