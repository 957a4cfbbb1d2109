import { index, integer, pgTable } from 'drizzle-orm/pg-core';
import type { FileFormat } from '../../contract/file.ts';
import { idText, instant, plainText } from '../columns.ts';
import { teams } from './teams.ts';

/** Uploaded files; their bytes are stored in the file storage under the id. */
export const files = pgTable(
  'files',
  {
    id: idText('id').primaryKey(),
    teamId: idText('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    name: plainText('name').notNull(),
    format: plainText('format').$type<FileFormat>().notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    /** SHA-256 of the bytes, hex. */
    sha256: plainText('sha256').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('files_team').on(table.teamId, table.id)],
);
