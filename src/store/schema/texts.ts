import { index, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core';
import { idText, instant, plainText } from '../columns.ts';
import { teams } from './teams.ts';

const team = () =>
  idText('team_id')
    .notNull()
    .references(() => teams.id, { onDelete: 'cascade' });

/**
 * Text messages to and from a team's numbers. There are no foreign keys to number, assistant and call, since text
 * messages outlive them.
 */
export const texts = pgTable(
  'texts',
  {
    id: idText('id').primaryKey(),
    teamId: team(),
    numberId: idText('number_id').notNull(),
    assistantId: idText('assistant_id'),
    /** Id of the call in which it was sent. */
    callId: idText('call_id'),
    userNumber: plainText('user_number').notNull(),
    /** Author of the message. */
    role: plainText('role').$type<'user' | 'assistant'>().notNull(),
    text: plainText('text').notNull(),
    status: plainText('status')
      .$type<'received' | 'queued' | 'sent' | 'delivered' | 'failed'>()
      .notNull(),
    /** Id of the received message that it answers. */
    answersTo: idText('answers_to'),
    carrierMessageId: plainText('carrier_message_id'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    // A webhook may arrive twice.
    uniqueIndex('texts_carrier_message').on(table.numberId, table.carrierMessageId),
    // Each received message is answered once.
    uniqueIndex('texts_answer').on(table.numberId, table.answersTo),
    index('texts_conversation').on(table.numberId, table.userNumber, table.id),
    index('texts_user').on(table.teamId, table.assistantId, table.userNumber, table.id),
  ],
);

/** Users who do not want text messages from a number. */
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
