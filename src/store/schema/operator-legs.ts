import { boolean, index, integer, pgTable } from 'drizzle-orm/pg-core';
import { idText, plainText } from '../columns.ts';
import { calls } from './calls.ts';

/** The legs of live calls to operators, from before they are dialled until they are over. */
export const operatorLegs = pgTable(
  'operator_legs',
  {
    /** As carriers are told it. */
    id: idText('id').primaryKey(),
    callId: idText('call_id')
      .notNull()
      .references(() => calls.id, { onDelete: 'cascade' }),
    /** As the call's machine numbers it. */
    legId: integer('leg_id').notNull(),
    /** The number from which it is dialled. Not a foreign key, since a leg outlives it. */
    numberId: idText('number_id').notNull(),
    /** The operator's telephone, E.164. */
    toNumber: plainText('to_number').notNull(),
    /** Null until the carrier has said it. */
    carrierCallId: plainText('carrier_call_id'),
    /** False while the telephone rings. */
    isAnswered: boolean('is_answered').notNull().default(false),
  },
  (table) => [
    index('operator_legs_call').on(table.callId, table.legId),
    index('operator_legs_number').on(table.toNumber),
  ],
);
