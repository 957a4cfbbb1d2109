import { integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { idText, plainText } from '../columns.ts';
import { calls } from './calls.ts';

/** Keys of calls whose redacted originals are kept; each is sealed. */
export const callKeys = pgTable('call_keys', {
  callId: idText('call_id')
    .primaryKey()
    .references(() => calls.id, { onDelete: 'cascade' }),
  /** Base64 of the key, sealed for the team, or with the team's key where what was said is. */
  sealedKey: plainText('sealed_key').notNull(),
});

/** Lines of journals as they were before they were redacted, encrypted with the call's key. */
export const callOriginals = pgTable(
  'call_originals',
  {
    callId: idText('call_id')
      .notNull()
      .references(() => calls.id, { onDelete: 'cascade' }),
    seq: integer('seq').notNull(),
    sealed: plainText('sealed').notNull(),
  },
  (table) => [primaryKey({ columns: [table.callId, table.seq] })],
);
