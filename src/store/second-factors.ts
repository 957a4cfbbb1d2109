import { and, eq, lt, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { endSessionsOf, type Person, writePerson } from './people.ts';
import { people } from './schema/people.ts';
import { sealerOf } from './sealing.ts';
import { secretHash } from './secret-hash.ts';

type Of = Pick<Person, 'id' | 'teamId'>;

/** Keeps a secret that a code has still to confirm. */
export async function startFactor(db: Db, person: Of, secret: string): Promise<void> {
  await writePerson(db, person, { totpPending: sealerOf(db).seal(secret, person.id) });
}

/** The secret that a code has to confirm; undefined if there is none. It never replaces a factor that is in use. */
export const pendingFactor = (
  db: Db,
  { id, totpPending, totpSecret }: Person,
): string | undefined =>
  totpPending === null || totpSecret !== null ? undefined : sealerOf(db).open(totpPending, id);

/** The secret of the second factor; undefined if there is none. */
export const factorOf = (db: Db, { id, totpSecret }: Person): string | undefined =>
  totpSecret === null ? undefined : sealerOf(db).open(totpSecret, id);

/** Makes the pending secret the second factor, and ends all sessions but one. */
export async function confirmFactor(
  db: Db,
  person: Person,
  params: {
    readonly step: number;
    readonly recoveryCodes: readonly string[];
    readonly except: string;
  },
): Promise<void> {
  const { step, recoveryCodes, except } = params;
  await db.transaction(async (tx) => {
    await writePerson(tx, person, {
      totpSecret: person.totpPending,
      totpPending: null,
      totpStep: step,
      recoveryHashes: recoveryCodes.map(secretHash),
    });
    await endSessionsOf(tx, person, except);
  });
}

/** Takes the second factor off a person, and ends all sessions, or all but one. Throws NotFoundError. */
export async function removeFactor(db: Db, person: Of, except?: string): Promise<Person> {
  const nothing = { totpSecret: null, totpPending: null, totpStep: 0, recoveryHashes: [] };
  return db.transaction(async (tx) => {
    const without = await writePerson(tx, person, nothing);
    await endSessionsOf(tx, person, except);
    return without;
  });
}

/** Uses the code of a step, once even for requests at the same time; false if it or a later one was used. */
export async function useStep(db: Db, { id }: Of, step: number): Promise<boolean> {
  const used = await db
    .update(people)
    .set({ totpStep: step })
    .where(and(eq(people.id, id), lt(people.totpStep, step)))
    .returning({ id: people.id });
  return used.length > 0;
}

/** Uses a recovery code, once even for requests at the same time; false if it is none. */
export async function useRecoveryCode(db: Db, { id }: Of, code: string): Promise<boolean> {
  const hash = secretHash(code);
  const used = await db
    .update(people)
    .set({ recoveryHashes: sql`${people.recoveryHashes} - ${hash}::text` })
    .where(and(eq(people.id, id), sql`${people.recoveryHashes} ? ${hash}::text`))
    .returning({ id: people.id });
  return used.length > 0;
}
