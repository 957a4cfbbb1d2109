import { type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { deliveryPlace } from './outbox.ts';
import { type DeliveryStatus, deliveries, deliveryAttempts } from './schema/deliveries.ts';
import { contentOpener, contentSealer, UnreadableError } from './sealed-content.ts';

export type Delivery = typeof deliveries.$inferSelect;

/** True if no earlier webhook of the same call is pending. */
const isHead = sql`not exists (
  select from deliveries before
  where before.call_id = deliveries.call_id and before.status = 'pending'
    and before.position < deliveries.position)`;

/** True while a node sends the webhook: a lease ends early with the node that has it, unless it is this node itself. */
export const isLeased = (now: Date, nodeId: string | null = null): SQL<boolean> => sql<boolean>`(
  leased_until is not null and leased_until > ${now.toISOString()}::timestamptz and (
    leased_by is null or leased_by = ${nodeId} or exists (select from nodes where nodes.id = leased_by)))`;

/**
 * Claims webhooks that are due and next within their calls, for one attempt each. No other node gets them until they
 * are settled, or the lease ends, or this node is removed as dead.
 */
export async function claimDeliveries(
  db: Db,
  params: {
    readonly now: Date;
    readonly leasedUntil: Date;
    readonly nodeId: string;
    readonly limit: number;
    /** Origins that are at their limit. */
    readonly busyOrigins: readonly string[];
    /** Teams that are at their limit. */
    readonly busyTeams: readonly string[];
  },
): Promise<readonly Delivery[]> {
  const { leasedUntil, nodeId } = params;
  const now = params.now.toISOString();
  const claimed = await db
    .update(deliveries)
    .set({ leasedUntil, leasedBy: nodeId })
    .where(
      // An array is computed once. The subquery of an `in` may run again for each row, depending on the plan, and each
      // run would skip what the one before has claimed, and claim more than the limit.
      sql`${deliveries.id} = any(array(
        select id from deliveries
        where status = 'pending' and next_attempt_at <= ${now}::timestamptz
          and not ${isLeased(params.now, nodeId)}
          and origin not in (
            select jsonb_array_elements_text(${JSON.stringify(params.busyOrigins)}::jsonb))
          and team_id not in (
            select jsonb_array_elements_text(${JSON.stringify(params.busyTeams)}::jsonb))
          and ${isHead}
        order by next_attempt_at, position
        limit ${params.limit}
        for update skip locked))`,
    )
    .returning();
  const open = await contentOpener(
    db,
    claimed.map(({ message }) => message),
  );
  const readable: Delivery[] = [];
  for (const delivery of claimed.sort((a, b) => a.position - b.position)) {
    const { id, teamId, callId, attempts, message } = delivery;
    try {
      readable.push({ ...delivery, message: open.json(message, deliveryPlace(callId, id)) });
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      const outcome = { at: params.now, latencyMs: 0, error: error.message };
      const number = attempts + 1;
      await settleAttempt(db, { id, teamId, nodeId, number, outcome, status: 'dead' });
    }
  }
  return readable;
}

/** Where the answer to an attempt stands. */
export const responsePlace = (deliveryId: string, number: number) => ({
  table: 'delivery_attempts',
  owner: deliveryId,
  part: number,
});

/** The outcome of one delivery attempt. */
export interface AttemptOutcome {
  readonly at: Date;
  readonly latencyMs: number;
  readonly httpStatus?: number;
  readonly error?: string;
  readonly response?: string;
}

/**
 * Stores the outcome of an attempt and the webhook's new status, unless another node sends it now or has sent it since:
 * this one was frozen and taken for dead.
 */
export async function settleAttempt(
  db: Db,
  params: {
    readonly id: string;
    readonly teamId: string;
    readonly nodeId: string;
    readonly number: number;
    readonly outcome: AttemptOutcome;
    readonly status: DeliveryStatus;
    /** Set while the webhook stays pending. */
    readonly nextAttemptAt?: Date;
  },
): Promise<void> {
  const { id, nodeId, number, outcome, status, nextAttemptAt } = params;
  const seal = await contentSealer(db, params);
  const { response } = outcome;
  const answered =
    response === undefined ? {} : { response: seal.text(response, responsePlace(id, number)) };
  await db.transaction(async (tx) => {
    const { rowCount } = await tx
      .update(deliveries)
      .set({
        status,
        attempts: number,
        ...NO_LEASE,
        ...(nextAttemptAt ? { nextAttemptAt } : {}),
        ...(status === 'pending' ? {} : { settledAt: outcome.at }),
      })
      .where(sql`${isOwn(id, nodeId)} and status = 'pending' and attempts = ${number - 1}`);
    // Or its call was deleted meanwhile.
    if (rowCount === 0) return;
    await tx
      .insert(deliveryAttempts)
      .values({
        ...{ deliveryId: id, number, ...outcome, ...answered },
        latencyMs: Math.round(outcome.latencyMs),
      })
      .onConflictDoNothing();
  });
}

/** Releases a webhook claimed by this process. */
export async function releaseDelivery(
  db: Db,
  { id, nodeId }: { readonly id: string; readonly nodeId: string },
): Promise<void> {
  await db.update(deliveries).set(NO_LEASE).where(isOwn(id, nodeId));
}

export const NO_LEASE = { leasedUntil: null, leasedBy: null } as const;

/** No other node has it. */
const isOwn = (id: string, nodeId: string): SQL =>
  sql`${deliveries.id} = ${id} and (leased_by is null or leased_by = ${nodeId})`;
