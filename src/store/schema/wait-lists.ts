import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, uniqueIndex } from 'drizzle-orm/pg-core';
import type { WaitListConfig } from '../../contract/wait-list.ts';
import { idText, instant, json, plainText } from '../columns.ts';
import { teams } from './teams.ts';

export const waitLists = pgTable(
  'wait_lists',
  {
    id: idText('id').primaryKey(),
    teamId: idText('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    config: json<WaitListConfig>('config').notNull(),
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [index('wait_lists_team').on(table.teamId, table.id)],
);

export const waitListEntries = pgTable(
  'wait_list_entries',
  {
    id: idText('id').primaryKey(),
    waitListId: idText('wait_list_id')
      .notNull()
      .references(() => waitLists.id, { onDelete: 'cascade' }),
    /** Order of arrival. */
    ticket: bigint('ticket', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    status: plainText('status').$type<'waiting' | 'taken' | 'left'>().notNull(),
    name: plainText('name').notNull(),
    phone: plainText('phone').notNull(),
    notes: plainText('notes').notNull(),
    callId: idText('call_id'),
    /** Id of the tool call that added it, so that a repeated call adds once. */
    requestKey: idText('request_key'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('wait_list_entries_request').on(table.requestKey),
    index('wait_list_entries_waiting')
      .on(table.waitListId, table.ticket)
      .where(sql`status = 'waiting'`),
  ],
);
