import { index, pgTable } from 'drizzle-orm/pg-core';
import { idText, instant, plainText } from '../columns.ts';
import { teams } from './teams.ts';

export const handsetTokens = pgTable(
  'handset_tokens',
  {
    /** SHA-256 of the token, hex. */
    hash: idText('hash').primaryKey(),
    teamId: idText('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    /** The telephone's number, E.164. */
    number: plainText('number').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('handset_tokens_expiry').on(table.expiresAt)],
);
