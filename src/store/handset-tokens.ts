import { and, eq, gt, lt } from 'drizzle-orm';
import { newToken } from '../lib/ids.ts';
import type { Holder } from './credentials.ts';
import type { Db } from './db.ts';
import { handsetTokens } from './schema/handsets.ts';
import { secretHash } from './secret-hash.ts';

const RETURNS = 'again-';

/** Creates a single-use token that admits one socket as the telephone of a number. */
export async function createHandsetToken(
  db: Db,
  params: {
    readonly teamId: string;
    readonly number: string;
    /** With what it was asked for: the socket ends when that opens it no more. */
    readonly holder?: Holder | undefined;
    readonly expiresAt: Date;
  },
  {
    returns = false,
  }: { /** For a telephone that was on before. */ readonly returns?: boolean } = {},
): Promise<string> {
  const token = returns ? RETURNS + newToken() : newToken();
  await db.insert(handsetTokens).values({ hash: secretHash(token), ...params });
  return token;
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
