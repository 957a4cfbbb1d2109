import { sql } from 'drizzle-orm';
import { index, integer, pgTable, uniqueIndex } from 'drizzle-orm/pg-core';
import type { CalendarConfig } from '../../contract/calendar.ts';
import { idText, instant, json, plainText } from '../columns.ts';
import { teams } from './teams.ts';

export const calendars = pgTable(
  'calendars',
  {
    id: idText('id').primaryKey(),
    teamId: idText('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    config: json<CalendarConfig>('config').notNull(),
    /** The feed's token: as SHA-256 for look-ups, and sealed for display. */
    feedHash: idText('feed_hash').notNull(),
    feedSealed: plainText('feed_sealed').notNull(),
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    index('calendars_team').on(table.teamId, table.id),
    uniqueIndex('calendars_feed').on(table.feedHash),
  ],
);

export const appointments = pgTable(
  'appointments',
  {
    id: idText('id').primaryKey(),
    calendarId: idText('calendar_id')
      .notNull()
      .references(() => calendars.id, { onDelete: 'cascade' }),
    /** Reference that callers use; unique within the calendar. */
    reference: idText('reference').notNull(),
    status: plainText('status').$type<'booked' | 'cancelled'>().notNull(),
    startAt: instant('start_at').notNull(),
    endAt: instant('end_at').notNull(),
    name: plainText('name').notNull(),
    phone: plainText('phone').notNull(),
    notes: plainText('notes').notNull(),
    callId: idText('call_id'),
    /** Id of the tool call that booked it, so that a repeated call books once. */
    requestKey: idText('request_key'),
    /** Revision within the feed; clients use the highest. */
    revision: integer('revision').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('appointments_reference').on(table.calendarId, table.reference),
    uniqueIndex('appointments_request').on(table.requestKey),
    index('appointments_time').on(table.calendarId, table.startAt).where(sql`status = 'booked'`),
  ],
);
