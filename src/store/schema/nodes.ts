import { index, integer, pgTable } from 'drizzle-orm/pg-core';
import { idText, instant, plainText } from '../columns.ts';

/** The processes that work on this database, each as long as its lease lasts. */
export const nodes = pgTable(
  'nodes',
  {
    id: idText('id').primaryKey(),
    /** Shared by the processes on one port. */
    serviceId: idText('service_id').notNull(),
    /** The machine, as far as its process numbers mean the same. */
    place: plainText('place').notNull(),
    pid: integer('pid').notNull(),
    /** Where other nodes reach it. */
    address: plainText('address').notNull(),
    /** What other nodes show when they come. */
    secret: plainText('secret').notNull(),
    /** By the clock of the database; a node that has not renewed it by then is dead. */
    leaseUntil: instant('lease_until').notNull(),
  },
  (table) => [index('nodes_lease').on(table.leaseUntil)],
);
