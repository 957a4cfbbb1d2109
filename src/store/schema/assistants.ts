import { boolean, index, integer, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core';
import type { AssistantConfig } from '../../contract/assistant.ts';
import { idText, instant, json, orderedJson, plainText } from '../columns.ts';
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
    /** Counts the changes of the row, for its entity tag. */
    version: integer('version').notNull().default(1),
    /** The number of the version whose configuration this is, and the last number given. */
    published: integer('published').notNull().default(1),
    latest: integer('latest').notNull().default(1),
    /** A version is published only when its tests pass. */
    requireTests: boolean('require_tests').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [index('assistants_team').on(table.teamId, table.id)],
);

/** Every configuration of an assistant that was saved, with its secrets sealed. */
export const assistantVersions = pgTable(
  'assistant_versions',
  {
    id: idText('id').primaryKey(),
    teamId: idText('team_id').notNull(),
    assistantId: idText('assistant_id')
      .notNull()
      .references(() => assistants.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    config: orderedJson<AssistantConfig>('config').notNull(),
    author: json<VersionAuthor>('author'),
    note: plainText('note').notNull().default(''),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [uniqueIndex('assistant_versions_number').on(table.assistantId, table.number)],
);

/** Names of versions that numbers and calls may give instead of a number. */
export const assistantLabels = pgTable(
  'assistant_labels',
  {
    assistantId: idText('assistant_id')
      .notNull()
      .references(() => assistants.id, { onDelete: 'cascade' }),
    label: plainText('label').notNull(),
    number: integer('number').notNull(),
  },
  (table) => [primaryKey({ columns: [table.assistantId, table.label] })],
);

/** Who saved a version, with the name at that time. */
export interface VersionAuthor {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
}
