import { boolean, index, integer, pgTable, uniqueIndex } from 'drizzle-orm/pg-core';
import { idText, instant, json, plainText } from '../columns.ts';
import { assistants } from './assistants.ts';
import { teams } from './teams.ts';

/** Keys that stand in web pages: each begins web calls with one assistant. */
export const publicKeys = pgTable(
  'public_keys',
  {
    id: idText('id').primaryKey(),
    teamId: idText('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    assistantId: idText('assistant_id')
      .notNull()
      .references(() => assistants.id, { onDelete: 'cascade' }),
    name: plainText('name').notNull(),
    /** No secret: everybody who opens the page sees it. */
    key: idText('key').notNull(),
    origins: json<readonly string[]>('origins').notNull(),
    demo: boolean('demo').notNull(),
    callsAtOnce: integer('calls_at_once').notNull(),
    minutesPerDay: integer('minutes_per_day').notNull(),
    minutesPerCall: integer('minutes_per_call').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('public_keys_key').on(table.key),
    index('public_keys_team').on(table.teamId, table.id),
    index('public_keys_assistant').on(table.assistantId),
  ],
);
