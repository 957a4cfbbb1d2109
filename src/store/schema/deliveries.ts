import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core';
import type { WebhookKind } from '../../contract/webhook-kinds.ts';
import type { WebhookRecord } from '../../contract/webhooks.ts';
import { idText, instant, orderedJson, plainText } from '../columns.ts';
import { calls } from './calls.ts';

export type DeliveryStatus = 'pending' | 'delivered' | 'dead';

/** Messages to users' servers: written with the change that caused them, sent in order within a call. */
export const deliveries = pgTable(
  'deliveries',
  {
    id: idText('id').primaryKey(),
    callId: idText('call_id')
      .notNull()
      .references(() => calls.id, { onDelete: 'cascade' }),
    teamId: idText('team_id').notNull(),
    /** Order within the call: writers hold the lock of its row. */
    position: bigint('position', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    kind: plainText('kind').$type<WebhookKind>().notNull(),
    /** What caused it: once for each cause. */
    cause: idText('cause').notNull(),
    message: orderedJson<WebhookRecord>('message').notNull(),
    /** Scheme, host and port of its target. */
    origin: plainText('origin').notNull(),
    status: plainText('status').$type<DeliveryStatus>().notNull().default('pending'),
    createdAt: instant('created_at').notNull(),
    /** When its tries may end; a delivery that had to wait for others gets one all the same. */
    expiresAt: instant('expires_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at').notNull(),
    /** Until when a node has it at work. */
    leasedUntil: instant('leased_until'),
    settledAt: instant('settled_at'),
  },
  (table) => [
    uniqueIndex('deliveries_cause').on(table.callId, table.cause),
    index('deliveries_order').on(table.callId, table.position),
    index('deliveries_pending').on(table.callId, table.position).where(sql`status = 'pending'`),
    index('deliveries_due').on(table.nextAttemptAt).where(sql`status = 'pending'`),
  ],
);

/** What came of each try; never the message or a secret. */
export const deliveryAttempts = pgTable(
  'delivery_attempts',
  {
    deliveryId: idText('delivery_id')
      .notNull()
      .references(() => deliveries.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    at: instant('at').notNull(),
    latencyMs: integer('latency_ms').notNull(),
    /** Absent when there was no answer. */
    httpStatus: integer('http_status'),
    error: plainText('error'),
    /** The start of the answer's body. */
    response: plainText('response'),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.number] })],
);
