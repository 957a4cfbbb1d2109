import { boolean, index, integer, pgTable, uniqueIndex } from 'drizzle-orm/pg-core';
import type { CarrierName } from '../../ports/carrier.ts';
import { idText, instant, plainText } from '../columns.ts';
import { assistants } from './assistants.ts';
import { teams } from './teams.ts';

export const numbers = pgTable(
  'numbers',
  {
    id: idText('id').primaryKey(),
    teamId: idText('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    /** E.164; unique in the whole service, so that incoming calls are unambiguous. */
    number: plainText('number').notNull(),
    provider: plainText('provider').$type<CarrierName>().notNull(),
    /** Id at the carrier; null if it was not looked up. */
    carrierNumberId: plainText('carrier_number_id'),
    label: plainText('label').notNull().default(''),
    assistantId: idText('assistant_id').references(() => assistants.id),
    /** The version that answers, by number or label; null: the published one. */
    assistantVersion: plainText('assistant_version'),
    inboundEnabled: boolean('inbound_enabled').notNull().default(true),
    outboundEnabled: boolean('outbound_enabled').notNull().default(true),
    /** Sealed JSON; null for the service's own account. */
    credentials: plainText('credentials'),
    /** When the carrier last announced a call to it, with a valid signature; rounded to a minute or so. */
    arrivedAt: instant('arrived_at'),
    /** When a request for it without a valid signature was last refused; rounded likewise. */
    refusedAt: instant('refused_at'),
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('numbers_number').on(table.number),
    index('numbers_team').on(table.teamId, table.id),
    index('numbers_assistant').on(table.assistantId),
  ],
);
