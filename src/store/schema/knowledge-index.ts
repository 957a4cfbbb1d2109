import { bigint, boolean, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import type { LanguageCode } from '../../ports/knowledge.ts';
import { bytea, idText, instant, json, plainText } from '../columns.ts';
import { knowledgeBases } from './knowledge.ts';

/** The searchable form of one source of a knowledge base. It never changes; trainings create new ones. */
export const knowledgeSegments = pgTable(
  'knowledge_segments',
  {
    id: idText('id').primaryKey(),
    knowledgeBaseId: idText('knowledge_base_id')
      .notNull()
      .references(() => knowledgeBases.id, { onDelete: 'cascade' }),
    /** `file:<id>` or `url:<address>`. */
    source: plainText('source').notNull(),
    title: plainText('title').notNull(),
    /** Hash of the content and the way it was read; an equal one needs no new segment. */
    fingerprint: plainText('fingerprint').notNull(),
    /** Version of the rules that split the source into passages; older ones are trained again. */
    readerVersion: integer('reader_version').notNull().default(1),
    language: plainText('language').$type<LanguageCode>().notNull().default('en'),
    passages: integer('passages').notNull().default(0),
    words: bigint('words', { mode: 'number' }).notNull().default(0),
    askable: json<readonly string[]>('askable').notNull().default([]),
    terms: json<readonly string[]>('terms').notNull().default([]),
    /** True if searches use it. */
    live: boolean('live').notNull().default(false),
    /** Model of its passages' vectors, if they have any. */
    vectorModel: plainText('vector_model'),
    /** Time since when it is no longer live; earlier searches may still be reading it. */
    retiredAt: instant('retired_at'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('knowledge_segments_base').on(table.knowledgeBaseId)],
);

export const knowledgePassages = pgTable(
  'knowledge_passages',
  {
    segmentId: idText('segment_id')
      .notNull()
      .references(() => knowledgeSegments.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    text: plainText('text').notNull(),
    headings: json<readonly string[]>('headings').notNull().default([]),
    page: integer('page'),
    url: plainText('url'),
    title: plainText('title'),
    vector: bytea('vector'),
  },
  (table) => [primaryKey({ columns: [table.segmentId, table.number] })],
);

/** The words of a segment's passages as packed by `index-block.ts`; searches hold them in memory. */
export const knowledgeIndexBlocks = pgTable(
  'knowledge_index_blocks',
  {
    segmentId: idText('segment_id')
      .notNull()
      .references(() => knowledgeSegments.id, { onDelete: 'cascade' }),
    /** Number of the block's first passage. */
    first: integer('first').notNull(),
    /** Format of the bytes; blocks of another format are rebuilt from the passages. */
    format: integer('format').notNull(),
    bytes: bytea('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.segmentId, table.first] })],
);
