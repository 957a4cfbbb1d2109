import { index, integer, pgTable } from 'drizzle-orm/pg-core';
import type { AssistantConfig } from '../../contract/assistant.ts';
import { idText, instant, orderedJson } from '../columns.ts';
import { teams } from './teams.ts';

export const assistants = pgTable(
  'assistants',
  {
    id: idText('id').primaryKey(),
    teamId: idText('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    /** Configuration by the contract, with all defaults filled in. */
    config: orderedJson<AssistantConfig>('config').notNull(),
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [index('assistants_team').on(table.teamId, table.id)],
);
