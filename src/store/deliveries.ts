import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { isLeased, NO_LEASE, responsePlace } from './due-deliveries.ts';
import { NotFoundError } from './errors.ts';
import { DELIVERY_LIFETIME_MS } from './outbox.ts';
import { deliveries, deliveryAttempts } from './schema/deliveries.ts';
import { contentOpener } from './sealed-content.ts';

const columns = {
  id: deliveries.id,
  kind: deliveries.kind,
  status: deliveries.status,
  attempts: deliveries.attempts,
  createdAt: deliveries.createdAt,
  nextAttemptAt: deliveries.nextAttemptAt,
  settledAt: deliveries.settledAt,
};

export type DeliveryAttempt = typeof deliveryAttempts.$inferSelect;

/** A webhook with its delivery attempts. */
export interface DeliveryLog
  extends Pick<
    typeof deliveries.$inferSelect,
    'id' | 'kind' | 'status' | 'attempts' | 'createdAt' | 'nextAttemptAt' | 'settledAt'
  > {
  readonly log: readonly DeliveryAttempt[];
}

/** The webhooks of a call in sending order. */
export async function listDeliveries(
  db: Db,
  params: { readonly callId: string; readonly id?: string },
): Promise<readonly DeliveryLog[]> {
  const { callId, id } = params;
  const rows = await db
    .select(columns)
    .from(deliveries)
    .where(and(eq(deliveries.callId, callId), id === undefined ? undefined : eq(deliveries.id, id)))
    .orderBy(asc(deliveries.position));
  if (rows.length === 0) return [];
  const attempts = await db
    .select()
    .from(deliveryAttempts)
    .where(
      inArray(
        deliveryAttempts.deliveryId,
        rows.map((row) => row.id),
      ),
    )
    .orderBy(asc(deliveryAttempts.number));
  const open = await contentOpener(
    db,
    attempts.map(({ response }) => response),
  );
  const opened = attempts.map((attempt) => ({
    ...attempt,
    response:
      attempt.response &&
      open.text(attempt.response, responsePlace(attempt.deliveryId, attempt.number)),
  }));
  const byDelivery = Map.groupBy(opened, ({ deliveryId }) => deliveryId);
  return rows.map((row) => ({ ...row, log: byDelivery.get(row.id) ?? [] }));
}

/**
 * Queues a webhook again, now and for another lifetime, under the same id. Returns false while an attempt is in
 * progress, since it may succeed.
 */
export async function redeliver(
  db: Db,
  params: { readonly callId: string; readonly id: string; readonly now: Date },
): Promise<boolean> {
  const { callId, id, now } = params;
  const own = and(eq(deliveries.callId, callId), eq(deliveries.id, id));
  return db.transaction(async (tx) => {
    const [row] = await tx
      .select({ isBeingSent: sql<boolean>`status = 'pending' and ${isLeased(now)}` })
      .from(deliveries)
      .where(own)
      .for('update');
    if (!row) throw new NotFoundError('delivery', id);
    if (row.isBeingSent) return false;
    await tx
      .update(deliveries)
      .set({
        status: 'pending',
        nextAttemptAt: now,
        ...NO_LEASE,
        settledAt: null,
        expiresAt: new Date(now.getTime() + DELIVERY_LIFETIME_MS),
      })
      .where(own);
    return true;
  });
}
