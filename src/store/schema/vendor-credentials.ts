import { integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { idText, instant, plainText } from '../columns.ts';
import { teams } from './teams.ts';

/** Accounts at vendors that a team has beside those of the service. */
export const vendorCredentials = pgTable(
  'vendor_credentials',
  {
    teamId: idText('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    vendor: plainText('vendor').notNull(),
    /** Sealed. */
    apiKey: plainText('api_key').notNull(),
    baseUrl: plainText('base_url'),
    concurrency: integer('concurrency'),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.teamId, table.vendor] })],
);
