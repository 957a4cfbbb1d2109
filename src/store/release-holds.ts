import { and, eq, sql } from 'drizzle-orm';
import { type CallRecord, getCall } from './calls.ts';
import type { Db } from './db.ts';
import { NotFoundError } from './errors.ts';
import { forgetAfterRelease } from './history.ts';
import { type NumberHold, setHold } from './holds.ts';
import { lockDeletions } from './lock-deletions.ts';
import { numberHolds } from './schema/privacy.ts';

/** Throws NotFoundError for a call that is not on hold, too. */
export async function releaseCall(
  db: Db,
  params: { readonly teamId: string; readonly id: string },
): Promise<CallRecord> {
  return db.transaction(async (tx) => {
    const { heldAt } = await getCall(tx, params);
    if (!heldAt) throw new NotFoundError('hold', params.id);
    await lockDeletions(tx, params);
    const released = await setHold(tx, params, { heldAt: sql`null`, holdReason: null });
    await forgetAfterRelease(tx, params);
    return released;
  });
}

/** Throws NotFoundError. */
export async function releaseNumber(
  db: Db,
  params: { readonly teamId: string; readonly number: string },
): Promise<NumberHold> {
  return db.transaction(async (tx) => {
    await lockDeletions(tx, params);
    const [hold] = await tx
      .delete(numberHolds)
      .where(and(eq(numberHolds.teamId, params.teamId), eq(numberHolds.number, params.number)))
      .returning();
    if (!hold) throw new NotFoundError('hold', params.number);
    await forgetAfterRelease(tx, params);
    return hold;
  });
}
