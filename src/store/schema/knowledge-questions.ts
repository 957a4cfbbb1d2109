import { boolean, index, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { idText, instant, plainText } from '../columns.ts';
import { calls } from './calls.ts';
import { knowledgeBases } from './knowledge.ts';

/** Questions that were looked up in finished calls, once for each knowledge base of the call's assistant. */
export const knowledgeQuestions = pgTable(
  'knowledge_questions',
  {
    callId: idText('call_id')
      .notNull()
      .references(() => calls.id, { onDelete: 'cascade' }),
    toolCallId: plainText('tool_call_id').notNull(),
    knowledgeBaseId: idText('knowledge_base_id')
      .notNull()
      .references(() => knowledgeBases.id, { onDelete: 'cascade' }),
    question: plainText('question').notNull(),
    answered: boolean('answered').notNull(),
    /** True if somebody does not want to see it as unanswered. */
    dismissed: boolean('dismissed').notNull().default(false),
    askedAt: instant('asked_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.callId, table.toolCallId, table.knowledgeBaseId] }),
    index('knowledge_questions_base').on(table.knowledgeBaseId, table.askedAt),
  ],
);
