import { bigint, doublePrecision, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { idText, instant } from '../columns.ts';
import { teams } from './teams.ts';

const ofTeam = () =>
  idText('team_id')
    .notNull()
    .references(() => teams.id, { onDelete: 'cascade' });

/** What a team's files and recordings take. Triggers of `files` and `calls` keep it, in the transaction of each change. */
export const teamStorage = pgTable('team_storage', {
  teamId: ofTeam().primaryKey(),
  fileBytes: bigint('file_bytes', { mode: 'number' }).notNull().default(0),
  recordingBytes: bigint('recording_bytes', { mode: 'number' }).notNull().default(0),
});

/**
 * Talking time of a team's ended calls, those that were deleted since included, by the month (UTC) in which they began. A
 * trigger of `calls` keeps it.
 */
export const teamTalk = pgTable(
  'team_talk',
  {
    teamId: ofTeam(),
    month: instant('month').notNull(),
    seconds: doublePrecision('seconds').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.teamId, table.month] })],
);
