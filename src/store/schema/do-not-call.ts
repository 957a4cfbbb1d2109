import { pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { idText, instant, plainText } from '../columns.ts';
import { teams } from './teams.ts';

/** Numbers that a team does not call. */
export const doNotCall = pgTable(
  'do_not_call',
  {
    teamId: idText('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    /** E.164. */
    number: plainText('number').notNull(),
    /** Why, for people. */
    note: plainText('note').notNull().default(''),
    source: plainText('source').$type<'api' | 'import' | 'call'>().notNull(),
    /** The call in which it was asked for; that call may be deleted. */
    callId: idText('call_id'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.teamId, table.number] })],
);
