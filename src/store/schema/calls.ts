import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type {
  CallDirection,
  CallEndTrigger,
  CallPlayback,
  CallStatus,
  CallType,
  MessageRole,
  PhoneCallStatus,
} from '../../contract/call.ts';
import type { CallAlerts } from '../../contract/call-alerts.ts';
import type { Failure, TurnMetrics } from '../../contract/call-journal.ts';
import type { CallSnapshot } from '../../contract/call-snapshot.ts';
import type { CallConsent } from '../../contract/recording-consent.ts';
import type { CallCost, UsageLine } from '../../contract/usage.ts';
import type { Checkpoint } from '../../engine/machine/replay.ts';
import type { CallPatch } from '../../ports/call-store.ts';
import type { JournalLine } from '../../ports/journal.ts';
import { idText, instant, json, orderedJson, plainText } from '../columns.ts';
import type { Holder } from '../credentials.ts';
import { teams } from './teams.ts';

const hasOwnRule = sql`(snapshot #>> '{assistant,retentionDays}') <> '{}'`;

export const calls = pgTable(
  'calls',
  {
    id: idText('id').primaryKey(),
    teamId: idText('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    /** Null for an inline assistant. Not a foreign key, since calls outlive their assistants. */
    assistantId: idText('assistant_id'),
    assistantVersion: integer('assistant_version'),
    /** The public key that it began with; calls outlive these, too. */
    publicKeyId: idText('public_key_id'),
    callType: plainText('call_type').$type<CallType>().notNull(),
    direction: plainText('direction').$type<CallDirection>().notNull(),
    status: plainText('status').$type<CallStatus>().notNull(),
    phoneCallStatus: plainText('phone_call_status').$type<PhoneCallStatus>(),
    startAt: instant('start_at').notNull(),
    answeredAt: instant('answered_at'),
    endAt: instant('end_at'),
    userNumber: plainText('user_number'),
    assistantNumber: plainText('assistant_number'),
    customerName: plainText('customer_name'),
    /** The assistant's number in a phone call. Not a foreign key, since calls outlive numbers. */
    numberId: idText('number_id'),
    /** Id of the user's leg at the carrier. */
    carrierCallId: plainText('carrier_call_id'),
    metadata: orderedJson<Readonly<Record<string, unknown>>>('metadata').notNull().default({}),
    /** The resolved configuration that the call runs with. */
    snapshot: orderedJson<CallSnapshot>('snapshot').notNull(),
    endTrigger: plainText('end_trigger').$type<CallEndTrigger>(),
    endReason: plainText('end_reason'),
    failure: json<Failure>('failure'),
    /** One entry for each turn. */
    metrics: json<readonly TurnMetrics[]>('metrics').notNull().default([]),
    playback: json<CallPlayback>('playback'),
    /** What became of the announcement that the call is recorded. */
    consent: json<CallConsent>('consent'),
    usage: json<readonly UsageLine[]>('usage').notNull().default([]),
    cost: json<CallCost>('cost'),
    analysis: orderedJson<Readonly<Record<string, unknown>>>('analysis'),
    recording: json<NonNullable<CallPatch['recording']>>('recording'),
    /** State of the wrap-up; null until the call's record is complete. */
    wrapUp: plainText('wrap_up').$type<'due' | 'queued' | 'done'>(),
    /** Id of the node that runs the call. */
    nodeId: idText('node_id'),
    /** Counts the owners of the call: a write of an earlier owner is refused. */
    epoch: integer('epoch').notNull().default(0),
    /** Since when the call is known to have no node; its caller may come back to another. */
    orphanedAt: instant('orphaned_at'),
    /** The last sign of life of the node that the call lost last. */
    lostAt: instant('lost_at'),
    /** Since when neither a rule nor a request may delete the call, and why. */
    heldAt: instant('held_at'),
    holdReason: plainText('hold_reason'),
    /** Earlier conversations that it was told of were deleted while it was on hold: its release takes them out. */
    forgetsHistory: boolean('forgets_history').notNull().default(false),
    /** Since when no file of its sound is left, by a rule. */
    soundRemovedAt: instant('sound_removed_at'),
    /** What a supervisor should see, from the call's journal. */
    alerts: json<CallAlerts>('alerts').notNull().default({}),
    tags: json<readonly string[]>('tags').notNull().default([]),
    reviewedAt: instant('reviewed_at'),
    /** Name of who has looked at the call. */
    reviewedBy: plainText('reviewed_by'),
  },
  (table) => [
    index('calls_team_start').on(table.teamId, table.startAt),
    index('calls_team_assistant').on(table.teamId, table.assistantId, table.startAt),
    index('calls_public_key')
      .on(table.publicKeyId, table.endAt)
      .where(sql`public_key_id is not null`),
    uniqueIndex('calls_carrier_call').on(table.numberId, table.carrierCallId),
    index('calls_team_user').on(table.teamId, table.userNumber, table.startAt),
    /** Finds the few live calls among all others. */
    index('calls_live').on(table.id).where(sql`end_at is null`),
    /** Those in which a rule may find sound to delete. */
    index('calls_sound').on(table.teamId, table.startAt).where(sql`sound_removed_at is null`),
    index('calls_sound_assistant')
      .on(table.teamId, table.assistantId, table.startAt)
      .where(sql`sound_removed_at is null`),
    /** Those that began with a rule of their assistant, which may be gone. */
    index('calls_own_rule').on(table.teamId, table.startAt).where(hasOwnRule),
    index('calls_wrap_up').on(table.endAt).where(sql`wrap_up is null or wrap_up = 'due'`),
  ],
);

export const messages = pgTable(
  'messages',
  {
    callId: idText('call_id')
      .notNull()
      .references(() => calls.id, { onDelete: 'cascade' }),
    messageId: idText('message_id').notNull(),
    /** Order of the messages' first appearance. */
    position: bigint('position', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    role: plainText('role').$type<MessageRole>().notNull(),
    text: plainText('text').notNull(),
    timestamp: instant('timestamp').notNull(),
  },
  (table) => [primaryKey({ columns: [table.callId, table.messageId] })],
);

/** The journals of calls, one row for each line, append-only. */
export const callEvents = pgTable(
  'call_events',
  {
    callId: idText('call_id')
      .notNull()
      .references(() => calls.id, { onDelete: 'cascade' }),
    seq: integer('seq').notNull(),
    /** Time since the call was created, in ms. */
    at: integer('at').notNull(),
    kind: plainText('kind').$type<JournalLine['kind']>().notNull(),
    type: plainText('type').notNull(),
    data: orderedJson<JournalLine['data']>('data').notNull(),
  },
  (table) => [primaryKey({ columns: [table.callId, table.seq] })],
);

/** Calls that live, as a line of their journals leaves them; each is deleted when its call ends. */
export const callCheckpoints = pgTable('call_checkpoints', {
  callId: idText('call_id')
    .primaryKey()
    .references(() => calls.id, { onDelete: 'cascade' }),
  /** The last line of the journal that it covers. */
  seq: integer('seq').notNull(),
  engineVersion: plainText('engine_version').notNull(),
  /** Like a line of the journal, sealed where what was said is. */
  data: orderedJson<Checkpoint>('data').notNull(),
});

/** What people have written about calls. */
export const callNotes = pgTable(
  'call_notes',
  {
    id: idText('id').primaryKey(),
    callId: idText('call_id')
      .notNull()
      .references(() => calls.id, { onDelete: 'cascade' }),
    text: plainText('text').notNull(),
    /** Name of who wrote it. */
    author: plainText('author').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('call_notes_call').on(table.callId, table.id)],
);

export const mediaTokens = pgTable(
  'media_tokens',
  {
    /** SHA-256 of the token, hex. */
    hash: idText('hash').primaryKey(),
    callId: idText('call_id')
      .notNull()
      .references(() => calls.id, { onDelete: 'cascade' }),
    /** `media` admits a party of the call, `listen` a listener, `take-over` a person who speaks instead of the assistant. */
    purpose: plainText('purpose')
      .$type<'media' | 'listen' | 'take-over'>()
      .notNull()
      .default('media'),
    /** With what it was asked for, if it is for a listener. */
    holder: json<Holder>('holder'),
    expiresAt: instant('expires_at').notNull(),
    redeemedAt: instant('redeemed_at'),
  },
  (table) => [index('media_tokens_expiry').on(table.expiresAt)],
);
