import { index, pgTable } from 'drizzle-orm/pg-core';
import { idText, instant, json, plainText } from '../columns.ts';
import type { Holder } from '../credentials.ts';
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
    /** With what it was asked for; tokens of earlier versions do not say. */
    holder: json<Holder>('holder'),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('handset_tokens_expiry').on(table.expiresAt)],
);
