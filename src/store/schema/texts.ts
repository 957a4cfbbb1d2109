import { index, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core';
import { idText, instant, plainText } from '../columns.ts';
import { teams } from './teams.ts';

const team = () =>
  idText('team_id')
    .notNull()
    .references(() => teams.id, { onDelete: 'cascade' });

/** Texts to and from a team's numbers. No references to number, assistant and call: a text outlives them. */
export const texts = pgTable(
  'texts',
  {
    id: idText('id').primaryKey(),
    teamId: team(),
    numberId: idText('number_id').notNull(),
    assistantId: idText('assistant_id'),
    /** The call it was sent from. */
    callId: idText('call_id'),
    userNumber: plainText('user_number').notNull(),
    /** Who wrote it. */
    role: plainText('role').$type<'user' | 'assistant'>().notNull(),
    text: plainText('text').notNull(),
    status: plainText('status')
      .$type<'received' | 'queued' | 'sent' | 'delivered' | 'failed'>()
      .notNull(),
    /** The received text that it answers. */
    answersTo: idText('answers_to'),
    carrierMessageId: plainText('carrier_message_id'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    // A webhook may come twice.
    uniqueIndex('texts_carrier_message').on(table.numberId, table.carrierMessageId),
    // Each is answered once.
    uniqueIndex('texts_answer').on(table.numberId, table.answersTo),
    index('texts_conversation').on(table.numberId, table.userNumber, table.id),
    index('texts_user').on(table.teamId, table.assistantId, table.userNumber, table.id),
  ],
);

/** Who wants no more texts from a number. */
export const textOptOuts = pgTable(
  'text_opt_outs',
  {
    teamId: team(),
    numberId: idText('number_id').notNull(),
    userNumber: plainText('user_number').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.numberId, table.userNumber] })],
);
