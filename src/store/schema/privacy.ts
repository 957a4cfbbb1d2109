import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import type { DeletionCause } from '../../contract/privacy.ts';
import { idText, instant, plainText } from '../columns.ts';
import { teams } from './teams.ts';

/**
 * Calls that were deleted: their files are still to be removed, and a restored backup may bring them back. Holds nothing
 * of what was said or by whom.
 */
export const deletedCalls = pgTable(
  'deleted_calls',
  {
    id: idText('id').primaryKey(),
    teamId: idText('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    cause: plainText('cause').$type<DeletionCause>().notNull(),
    deletedAt: instant('deleted_at').notNull(),
    /** Subfolder of its files; null once they are removed, or if there was none. */
    recordingPath: plainText('recording_path'),
    /** Number of owners: each may have left a file. */
    epoch: integer('epoch').notNull(),
    /** Null of a call that a limit has refused: it counts for none. */
    startAt: instant('start_at'),
    endAt: instant('end_at').notNull(),
    /** Its session had written all it had to. */
    settled: boolean('settled').notNull().default(false),
    filesRemovedAt: instant('files_removed_at'),
  },
  (table) => [
    index('deleted_calls_team').on(table.teamId, table.deletedAt, table.id),
    index('deleted_calls_files').on(table.teamId).where(sql`files_removed_at is null`),
  ],
);

/** Numbers whose callers' data neither a rule nor a request may delete. */
export const numberHolds = pgTable(
  'number_holds',
  {
    teamId: idText('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    /** E.164. */
    number: plainText('number').notNull(),
    reason: plainText('reason').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.teamId, table.number] })],
);

/** Keys that encrypt what is said in a team's calls; without its row, what it has encrypted cannot be read. */
export const teamKeys = pgTable(
  'team_keys',
  {
    /** Stands in the files and rows that it has encrypted. */
    id: idText('id').primaryKey(),
    teamId: idText('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    /** Sealed. */
    key: plainText('key').notNull(),
    createdAt: instant('created_at').notNull(),
    /** When everything of ended calls was encrypted with it; null: a job has to see to it. */
    completedAt: instant('completed_at'),
  },
  (table) => [index('team_keys_team').on(table.teamId, table.createdAt)],
);
