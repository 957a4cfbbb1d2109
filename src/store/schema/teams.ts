import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core';
import type { KeyOrigin } from '../../contract/api-key.ts';
import type { RetentionDays } from '../../contract/privacy.ts';
import type { Role } from '../../contract/role.ts';
import type { TeamLimits } from '../../contract/team.ts';
import { idText, instant, json, plainText } from '../columns.ts';

export const teams = pgTable('teams', {
  id: idText('id').primaryKey(),
  name: plainText('name').notNull(),
  createdAt: instant('created_at').notNull(),
  limits: json<TeamLimits>('limits').notNull().default({}),
  /** What the operator lets the team keep at most. */
  mostRetentionDays: json<RetentionDays>('most_retention_days').notNull().default({}),
  /** The team's own rule. */
  retentionDays: json<RetentionDays>('retention_days').notNull().default({}),
  suspendedAt: instant('suspended_at'),
  suspensionReason: plainText('suspension_reason'),
  /** What its live calls end with; null: a sentence in the language of each. */
  farewell: plainText('farewell'),
  /** From then on everything it owns is being deleted. */
  deletedAt: instant('deleted_at'),
});

export const apiKeys = pgTable(
  'api_keys',
  {
    id: idText('id').primaryKey(),
    teamId: idText('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    name: plainText('name').notNull(),
    /** SHA-256 of the key, hex; the key itself is not stored. */
    hash: idText('hash').notNull(),
    /** First characters of the key, to recognise it by. */
    prefix: plainText('prefix').notNull(),
    createdAt: instant('created_at').notNull(),
    revokedAt: instant('revoked_at'),
    role: plainText('role').$type<Role>().notNull().default('admin'),
    expiresAt: instant('expires_at'),
    lastUsedAt: instant('last_used_at'),
    lastUsedFrom: plainText('last_used_from'),
    /** Null for keys of earlier versions. */
    origin: json<KeyOrigin>('origin'),
  },
  (table) => [
    uniqueIndex('api_keys_hash').on(table.hash),
    index('api_keys_team').on(table.teamId, table.id),
  ],
);
