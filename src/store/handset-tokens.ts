import { randomInt } from 'node:crypto';
import { and, between, eq, gt, lt, sql } from 'drizzle-orm';
import { union } from 'drizzle-orm/pg-core';
import { newToken } from '../lib/ids.ts';
import { advisoryLocks } from './advisory-locks.ts';
import type { Holder } from './credentials.ts';
import type { Db } from './db.ts';
import { handsetTokens } from './schema/handsets.ts';
import { numbers } from './schema/numbers.ts';
import { secretHash } from './secret-hash.ts';

const RETURNS = 'again-';

export interface Admission {
  readonly teamId: string;
  /** With what it was asked for: the socket ends when that opens it no more. */
  readonly holder?: Holder | undefined;
  readonly expiresAt: Date;
}

/** Creates a single-use token that admits one socket as the telephone of a number. */
export async function createHandsetToken(
  db: Db,
  params: Admission & { readonly number: string },
  {
    returns = false,
  }: { /** For a telephone that was on before. */ readonly returns?: boolean } = {},
): Promise<string> {
  const token = returns ? RETURNS + newToken() : newToken();
  await db.insert(handsetTokens).values({ hash: secretHash(token), ...params });
  return token;
}

/**
 * Creates a token for the telephone of one of these numbers, chosen at random from those that no assistant has and no
 * other telephone of the team, be it on or yet to be opened. Undefined if all are taken.
 */
export async function createTokenOfFreeNumber(
  db: Db,
  params: Admission & {
    /** In ascending order and of the same length. */
    readonly among: readonly string[];
    readonly now?: Date;
  },
): Promise<{ readonly number: string; readonly token: string } | undefined> {
  const { among, now = new Date(), ...admission } = params;
  const { teamId } = admission;
  return db.transaction(async (tx) => {
    const taken = await takenNumbers(tx, { teamId, among, now });
    const free = among.filter((number) => !taken.has(number));
    while (free.length > 0) {
      const [number = ''] = free.splice(randomInt(free.length), 1);
      if (!(await lockNumber(tx, { teamId, number }))) continue;
      // Who had the lock before may have taken the number since it was found to be free.
      if ((await takenNumbers(tx, { teamId, among: [number], now })).has(number)) continue;
      return { number, token: await createHandsetToken(tx, { ...admission, number }) };
    }
    return undefined;
  });
}

/** Those that an assistant of any team has, or a telephone of this one. */
async function takenNumbers(
  db: Db,
  params: {
    readonly teamId: string;
    /** In ascending order and of the same length. */
    readonly among: readonly string[];
    readonly now: Date;
  },
): Promise<ReadonlySet<string>> {
  const { teamId, among, now } = params;
  const within = [among.at(0) ?? '', among.at(-1) ?? ''] as const;
  const ofAssistants = db
    .select({ number: numbers.number })
    .from(numbers)
    .where(between(numbers.number, ...within));
  const ofTelephones = db
    .select({ number: handsetTokens.number })
    .from(handsetTokens)
    .where(
      and(
        eq(handsetTokens.teamId, teamId),
        gt(handsetTokens.expiresAt, now),
        between(handsetTokens.number, ...within),
      ),
    );
  return new Set((await union(ofAssistants, ofTelephones)).map(({ number }) => number));
}

/**
 * Locks a number of a team until the transaction ends; false if another has it. Nobody waits for a lock here: those who
 * ask at once would do so with all connections of the process, which its calls need.
 */
async function lockNumber(
  tx: Db,
  { teamId, number }: { readonly teamId: string; readonly number: string },
): Promise<boolean> {
  const { rows } = await tx.execute<{ mine: boolean }>(
    sql`select pg_try_advisory_xact_lock(${advisoryLocks.handsetNumbers}, hashtext(${teamId + number})) as mine`,
  );
  return rows[0]?.mine === true;
}

export async function deleteHandsetToken(
  db: Db,
  params: { readonly token: string },
): Promise<void> {
  await db.delete(handsetTokens).where(eq(handsetTokens.hash, secretHash(params.token)));
}

/** The team of a token that is still valid; does not redeem it. */
export async function findHandsetTokenTeam(
  db: Db,
  params: { readonly token: string; readonly now?: Date },
): Promise<string | undefined> {
  const { token, now = new Date() } = params;
  const [found] = await db
    .select({ teamId: handsetTokens.teamId })
    .from(handsetTokens)
    .where(and(eq(handsetTokens.hash, secretHash(token)), gt(handsetTokens.expiresAt, now)));
  return found?.teamId;
}

/** Redeems a token, which works once; also deletes expired tokens. */
export async function redeemHandsetToken(
  db: Db,
  params: { readonly token: string; readonly now?: Date },
): Promise<
  | {
      readonly teamId: string;
      readonly number: string;
      readonly holder: Holder | null;
      readonly returns: boolean;
    }
  | undefined
> {
  const { token, now = new Date() } = params;
  const [redeemed] = await db
    .delete(handsetTokens)
    .where(and(eq(handsetTokens.hash, secretHash(token)), gt(handsetTokens.expiresAt, now)))
    .returning({
      teamId: handsetTokens.teamId,
      number: handsetTokens.number,
      holder: handsetTokens.holder,
    });
  await db.delete(handsetTokens).where(lt(handsetTokens.expiresAt, now));
  return redeemed && { ...redeemed, returns: token.startsWith(RETURNS) };
}
