import { integer, pgTable } from 'drizzle-orm/pg-core';
import { plainText } from '../columns.ts';

/** One row with a sealed known text, which shows whether the configured key is the one that sealed the secrets. */
export const sealingChecks = pgTable('sealing_checks', {
  id: integer('id').primaryKey(),
  sealed: plainText('sealed').notNull(),
});
