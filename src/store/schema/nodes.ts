import { boolean, index, integer, pgTable } from 'drizzle-orm/pg-core';
import { idText, instant, plainText } from '../columns.ts';

/** The processes that use this database, each until its lease expires. */
export const nodes = pgTable(
  'nodes',
  {
    id: idText('id').primaryKey(),
    /** The same for all processes on one port. */
    serviceId: idText('service_id').notNull(),
    /** The machine or container within which process ids are comparable. */
    place: plainText('place').notNull(),
    pid: integer('pid').notNull(),
    /** The socket at which the processes of its machine reach it. */
    address: plainText('address').notNull(),
    /** By the clock of the database; a node that has not renewed its lease by then counts as dead. */
    leaseUntil: instant('lease_until').notNull(),
    /** How long the lease was when it was renewed last; 0 where an earlier version of the service renewed it. */
    leaseMs: integer('lease_ms').notNull().default(0),
    /** Another node renewed the lease last, since this one cannot reach the database. */
    isCutOff: boolean('is_cut_off').notNull().default(false),
  },
  (table) => [index('nodes_lease').on(table.leaseUntil)],
);
