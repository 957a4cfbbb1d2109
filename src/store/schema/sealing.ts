import { integer, pgTable } from 'drizzle-orm/pg-core';
import { plainText } from '../columns.ts';

/** One row: a known text, sealed. It tells whether the key at hand is the one the secrets were sealed with. */
export const sealingChecks = pgTable('sealing_checks', {
  id: integer('id').primaryKey(),
  sealed: plainText('sealed').notNull(),
});
