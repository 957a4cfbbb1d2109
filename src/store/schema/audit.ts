import { index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { idText, instant, plainText } from '../columns.ts';

/** Append-only: triggers refuse everything else. No reference to teams, since the log outlives them. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    /** The team, or that of the service itself. */
    chain: idText('chain').notNull(),
    /** From 1 on, without a gap. */
    seq: integer('seq').notNull(),
    at: instant('at').notNull(),
    actorType: plainText('actor_type').notNull(),
    actorId: idText('actor_id'),
    actorName: plainText('actor_name'),
    /** The id of the operation, or what it was besides. */
    action: plainText('action').notNull(),
    subject: plainText('subject'),
    outcome: plainText('outcome').notNull(),
    address: plainText('address'),
    requestId: plainText('request_id'),
    /** Of this entry and, through the one before, of all earlier ones. */
    hash: idText('hash').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chain, table.seq] }),
    index('audit_entries_actor').on(table.chain, table.actorId, table.seq),
    index('audit_entries_action').on(table.chain, table.action, table.seq),
    index('audit_entries_subject').on(table.chain, table.subject, table.seq),
    index('audit_entries_at').on(table.chain, table.at),
  ],
);

/** The end of each chain. */
export const auditHeads = pgTable('audit_heads', {
  chain: idText('chain').primaryKey(),
  seq: integer('seq').notNull(),
  hash: idText('hash').notNull(),
  /** Both again, sealed: who writes to the database without the key cannot make another end. */
  sealed: plainText('sealed').notNull(),
});
