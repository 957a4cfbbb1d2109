import { and, eq, gt, isNull, lt } from 'drizzle-orm';
import { newToken } from '../lib/ids.ts';
import { withNodeHint, withNodeTag } from '../lib/node-tag.ts';
import type { Holder } from './credentials.ts';
import type { Db } from './db.ts';
import { calls, mediaTokens } from './schema/calls.ts';
import { secretHash } from './secret-hash.ts';

/** `media`: for a party of the call; `listen`: for a listener; `take-over`: for a person who speaks with the caller. */
type Purpose = (typeof mediaTokens.$inferSelect)['purpose'];

/** Creates a single-use token that admits one socket to one call. */
export async function createMediaToken(
  db: Db,
  params: {
    readonly callId: string;
    readonly expiresAt: Date;
    /** @defaultValue 'media' */
    readonly purpose?: Purpose;
    /** With what it was asked for, for sockets that end when that opens them no more. */
    readonly holder?: Holder | undefined;
    /** The node that handles the socket: always, or only if another has no room. @defaultValue any node */
    readonly node?: { readonly id: string; readonly isOnly: boolean };
  },
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const { callId, expiresAt, purpose = 'media', holder = null, node } = params;
  const mark = node?.isOnly ? withNodeTag : withNodeHint;
  const token = node ? mark(newToken(), node.id) : newToken();
  await db
    .insert(mediaTokens)
    .values({ hash: secretHash(token), callId, purpose, holder, expiresAt });
  return { token, expiresAt };
}

/** The team of a token that is still valid; does not redeem it. */
export async function findMediaTokenTeam(
  db: Db,
  params: { readonly token: string; readonly purpose?: Purpose; readonly now?: Date },
): Promise<string | undefined> {
  const { token, purpose = 'media', now = new Date() } = params;
  const [found] = await db
    .select({ teamId: calls.teamId })
    .from(mediaTokens)
    .innerJoin(calls, eq(calls.id, mediaTokens.callId))
    .where(
      and(
        eq(mediaTokens.hash, secretHash(token)),
        eq(mediaTokens.purpose, purpose),
        isNull(mediaTokens.redeemedAt),
        gt(mediaTokens.expiresAt, now),
      ),
    );
  return found?.teamId;
}

/** Redeems a token and returns its call; works only once, even for concurrent requests. */
export async function redeemMediaToken(
  db: Db,
  params: {
    readonly token: string;
    /** @defaultValue 'media' */
    readonly purpose?: Purpose;
    readonly now?: Date;
  },
): Promise<
  { readonly callId: string; readonly teamId: string; readonly holder: Holder | null } | undefined
> {
  const now = params.now ?? new Date();
  const [redeemed] = await db
    .update(mediaTokens)
    .set({ redeemedAt: now })
    .from(calls)
    .where(
      and(
        eq(mediaTokens.hash, secretHash(params.token)),
        eq(mediaTokens.purpose, params.purpose ?? 'media'),
        isNull(mediaTokens.redeemedAt),
        gt(mediaTokens.expiresAt, now),
        eq(calls.id, mediaTokens.callId),
      ),
    )
    .returning({ callId: calls.id, teamId: calls.teamId, holder: mediaTokens.holder });
  return redeemed;
}

/** Deletes expired tokens. */
export async function deleteExpiredMediaTokens(
  db: Db,
  params: { readonly now?: Date } = {},
): Promise<void> {
  await db.delete(mediaTokens).where(lt(mediaTokens.expiresAt, params.now ?? new Date()));
}
