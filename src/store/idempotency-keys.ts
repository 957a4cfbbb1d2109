import { and, eq, isNull, lt, or } from 'drizzle-orm';
import type { Db } from './db.ts';
import { NotFoundError } from './errors.ts';
import { idempotencyKeys } from './schema/idempotency.ts';

const LIFETIME_MS = 24 * 60 * 60 * 1000;
/** Longer than any request may take: an older claim belongs to a dead process. */
const CLAIM_MS = 2 * 60 * 1000;

interface One {
  readonly teamId: string;
  readonly key: string;
}

export type IdempotencyClaim =
  /** First use: the caller does the work, then completes or releases the key. */
  | { readonly outcome: 'claimed' }
  | { readonly outcome: 'replay'; readonly status: number; readonly body: string }
  /** The first request is in progress. */
  | { readonly outcome: 'in-progress' }
  /** The key was used with another request. */
  | { readonly outcome: 'mismatch' };

const own = ({ teamId, key }: One) =>
  and(eq(idempotencyKeys.teamId, teamId), eq(idempotencyKeys.key, key));

/** Claims the key for this request, or returns the state of the request that used it. */
export async function claimIdempotencyKey(
  db: Db,
  params: One & { readonly requestHash: string; readonly now?: Date },
): Promise<IdempotencyClaim> {
  const { teamId, key, requestHash } = params;
  const now = params.now ?? new Date();
  const fresh = { requestHash, responseStatus: null, responseBody: null, createdAt: now };
  const claimed = await db
    .insert(idempotencyKeys)
    .values({ teamId, key, ...fresh })
    .onConflictDoUpdate({
      target: [idempotencyKeys.teamId, idempotencyKeys.key],
      set: fresh,
      setWhere: or(
        lt(idempotencyKeys.createdAt, new Date(now.getTime() - LIFETIME_MS)),
        and(
          isNull(idempotencyKeys.responseStatus),
          lt(idempotencyKeys.createdAt, new Date(now.getTime() - CLAIM_MS)),
        ),
      ),
    })
    .returning({ key: idempotencyKeys.key });
  if (claimed.length > 0) return { outcome: 'claimed' };
  const [former] = await db.select().from(idempotencyKeys).where(own(params));
  // The key was released between the two statements; the client may retry.
  if (!former) return { outcome: 'in-progress' };
  if (former.requestHash !== requestHash) return { outcome: 'mismatch' };
  if (former.responseStatus === null) return { outcome: 'in-progress' };
  return { outcome: 'replay', status: former.responseStatus, body: former.responseBody ?? '' };
}

/** Stores the response for repeated requests. */
export async function completeIdempotencyKey(
  db: Db,
  params: One & { readonly status: number; readonly body: string },
): Promise<void> {
  const updated = await db
    .update(idempotencyKeys)
    .set({ responseStatus: params.status, responseBody: params.body })
    .where(own(params))
    .returning({ key: idempotencyKeys.key });
  if (updated.length === 0) throw new NotFoundError('idempotency-key', params.key);
}

/** Releases the key after a request that changed nothing. */
export async function releaseIdempotencyKey(db: Db, params: One): Promise<void> {
  await db.delete(idempotencyKeys).where(and(own(params), isNull(idempotencyKeys.responseStatus)));
}

export async function deleteExpiredIdempotencyKeys(
  db: Db,
  params: { readonly now?: Date } = {},
): Promise<void> {
  const before = new Date((params.now ?? new Date()).getTime() - LIFETIME_MS);
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, before));
}
