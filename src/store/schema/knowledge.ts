import { bigint, boolean, index, integer, pgTable } from 'drizzle-orm/pg-core';
import type { KnowledgeBaseConfig, KnowledgeBaseStatus } from '../../contract/knowledge-base.ts';
import { idText, instant, json, plainText, tsvector } from '../columns.ts';
import { teams } from './teams.ts';

export const knowledgeBases = pgTable(
  'knowledge_bases',
  {
    id: idText('id').primaryKey(),
    teamId: idText('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    title: plainText('title').notNull(),
    description: plainText('description').notNull().default(''),
    status: plainText('status').$type<KnowledgeBaseStatus>().notNull().default('draft'),
    statusReason: plainText('status_reason'),
    docs: json<KnowledgeBaseConfig['docs']>('docs').notNull().default([]),
    files: json<KnowledgeBaseConfig['files']>('files').notNull().default([]),
    retrainFrequencyMinutes: integer('retrain_frequency_minutes').notNull().default(0),
    version: integer('version').notNull().default(1),
    /** Counts changes of its files, documents and FAQ entries. */
    contentVersion: integer('content_version').notNull().default(1),
    /** Id of the current training run; results of other runs are discarded. */
    trainingId: idText('training_id'),
    trainedAt: instant('trained_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [index('knowledge_bases_team').on(table.teamId, table.id)],
);

export const faqEntries = pgTable(
  'faq_entries',
  {
    id: idText('id').primaryKey(),
    teamId: idText('team_id').notNull(),
    knowledgeBaseId: idText('knowledge_base_id')
      .notNull()
      .references(() => knowledgeBases.id, { onDelete: 'cascade' }),
    /** Insertion order. */
    position: bigint('position', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    question: plainText('question').notNull(),
    answer: plainText('answer').notNull(),
    category: plainText('category').notNull().default(''),
    updatable: boolean('updatable').notNull().default(true),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** Search vector of the entry's words; see {@link faqIndex}. */
    search: tsvector('search').notNull(),
  },
  (table) => [
    index('faq_entries_order').on(table.knowledgeBaseId, table.position),
    index('faq_entries_search').using('gin', table.search),
  ],
);
