import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core';
import type { WebhookKind } from '../../contract/webhook-kinds.ts';
import type { WebhookRecord } from '../../contract/webhooks.ts';
import { idText, instant, orderedJson, plainText } from '../columns.ts';
import { calls } from './calls.ts';

export type DeliveryStatus = 'pending' | 'delivered' | 'dead';

/** Webhooks: written in the transaction that caused them, sent in order within a call. */
export const deliveries = pgTable(
  'deliveries',
  {
    id: idText('id').primaryKey(),
    callId: idText('call_id')
      .notNull()
      .references(() => calls.id, { onDelete: 'cascade' }),
    teamId: idText('team_id').notNull(),
    /** Order within the call; writers hold the lock on the call's row. */
    position: bigint('position', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    kind: plainText('kind').$type<WebhookKind>().notNull(),
    /** Cause of the webhook, unique within the call. */
    cause: idText('cause').notNull(),
    message: orderedJson<WebhookRecord>('message').notNull(),
    /** Scheme, host and port of the target. */
    origin: plainText('origin').notNull(),
    status: plainText('status').$type<DeliveryStatus>().notNull().default('pending'),
    createdAt: instant('created_at').notNull(),
    /** No attempts after this time, except one for a webhook that had to wait for others. */
    expiresAt: instant('expires_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at').notNull(),
    /** End of the lease of the node that is sending it. */
    leasedUntil: instant('leased_until'),
    /** That node: once it is not registered any more, the lease counts no longer. */
    leasedBy: idText('leased_by'),
    settledAt: instant('settled_at'),
  },
  (table) => [
    uniqueIndex('deliveries_cause').on(table.callId, table.cause),
    index('deliveries_order').on(table.callId, table.position),
    index('deliveries_pending').on(table.callId, table.position).where(sql`status = 'pending'`),
    index('deliveries_due').on(table.nextAttemptAt).where(sql`status = 'pending'`),
    /** Finds the few that were given up. */
    index('deliveries_dead').on(table.teamId, table.settledAt).where(sql`status = 'dead'`),
  ],
);

/** Outcomes of delivery attempts, without the webhook's content or secrets. */
export const deliveryAttempts = pgTable(
  'delivery_attempts',
  {
    deliveryId: idText('delivery_id')
      .notNull()
      .references(() => deliveries.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    at: instant('at').notNull(),
    latencyMs: integer('latency_ms').notNull(),
    /** Null if there was no response. */
    httpStatus: integer('http_status'),
    error: plainText('error'),
    /** Beginning of the response body. */
    response: plainText('response'),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.number] })],
);
