import { index, integer, pgTable, uniqueIndex } from 'drizzle-orm/pg-core';
import type { ToolConfig } from '../../contract/tool.ts';
import { idText, instant, orderedJson, plainText } from '../columns.ts';
import { teams } from './teams.ts';

export const tools = pgTable(
  'tools',
  {
    id: idText('id').primaryKey(),
    teamId: idText('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    /** The function's name, by which the model calls the tool; unique within a team. */
    name: plainText('name').notNull(),
    config: orderedJson<ToolConfig>('config').notNull(),
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('tools_name').on(table.teamId, table.name),
    index('tools_team').on(table.teamId, table.id),
  ],
);
