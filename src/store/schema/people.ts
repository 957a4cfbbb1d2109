import { boolean, index, integer, pgTable, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Role } from '../../contract/role.ts';
import { idText, instant, json, plainText } from '../columns.ts';
import { teams } from './teams.ts';

const teamId = () =>
  idText('team_id')
    .notNull()
    .references(() => teams.id, { onDelete: 'cascade' });

export const people = pgTable(
  'people',
  {
    id: idText('id').primaryKey(),
    teamId: teamId(),
    /** In small letters. */
    email: idText('email').notNull(),
    name: plainText('name').notNull(),
    role: plainText('role').$type<Role>().notNull(),
    /** Argon2id in the PHC form; null: signs in through the provider alone. */
    passwordHash: plainText('password_hash'),
    openIdIssuer: idText('openid_issuer'),
    openIdSubject: idText('openid_subject'),
    /** Sealed; null: no second factor. */
    totpSecret: plainText('totp_secret'),
    /** Sealed; being set up. */
    totpPending: plainText('totp_pending'),
    /** The step of the last code that was taken: it and earlier ones are refused. */
    totpStep: integer('totp_step').notNull().default(0),
    /** SHA-256 of those that are left. */
    recoveryHashes: json<readonly string[]>('recovery_hashes').notNull().default([]),
    createdAt: instant('created_at').notNull(),
    lastSignInAt: instant('last_sign_in_at'),
  },
  (table) => [
    uniqueIndex('people_email').on(table.email),
    uniqueIndex('people_openid').on(table.openIdIssuer, table.openIdSubject),
    index('people_team').on(table.teamId, table.id),
  ],
);

export const invitations = pgTable(
  'invitations',
  {
    id: idText('id').primaryKey(),
    teamId: teamId(),
    /** In small letters; null: whoever has the link chooses it. */
    email: idText('email'),
    role: plainText('role').$type<Role>().notNull(),
    /** SHA-256 of the token, hex. */
    hash: idText('hash').notNull(),
    invitedBy: plainText('invited_by'),
    /** Id of that person or API key: the invitation lasts as long as they may invite. */
    inviterId: idText('inviter_id'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('invitations_hash').on(table.hash),
    index('invitations_team').on(table.teamId, table.id),
    index('invitations_inviter').on(table.inviterId),
  ],
);

export const sessions = pgTable(
  'sessions',
  {
    id: idText('id').primaryKey(),
    personId: idText('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    /** SHA-256 of the token, hex. */
    hash: idText('hash').notNull(),
    /** The password was right, and a code is awaited. */
    pending: boolean('pending').notNull(),
    /** When the person last proved themselves at the provider, for what asks for that. */
    provedAt: instant('proved_at'),
    /** Wrong codes so far. */
    attempts: integer('attempts').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    /** Whatever it is used for, it ends then. */
    expiresAt: instant('expires_at').notNull(),
    lastUsedAt: instant('last_used_at').notNull(),
    lastUsedFrom: plainText('last_used_from').notNull(),
    userAgent: plainText('user_agent').notNull(),
  },
  (table) => [
    uniqueIndex('sessions_hash').on(table.hash),
    index('sessions_person').on(table.personId, table.id),
    index('sessions_expiry').on(table.expiresAt),
  ],
);
