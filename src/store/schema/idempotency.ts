import { index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { idText, instant, plainText } from '../columns.ts';
import { teams } from './teams.ts';

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    teamId: idText('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    key: idText('key').notNull(),
    requestHash: plainText('request_hash').notNull(),
    /** Null while the first request is in progress. */
    responseStatus: integer('response_status'),
    responseBody: plainText('response_body'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.key] }),
    index('idempotency_keys_age').on(table.createdAt),
  ],
);
