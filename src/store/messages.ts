import { asc, eq, sql } from 'drizzle-orm';
import type { MessageRole } from '../contract/call.ts';
import type { TranscriptMessage } from '../contract/call-journal.ts';
import type { Db } from './db.ts';
import { messages } from './schema/calls.ts';
import { storableJson } from './storable.ts';

export interface Message {
  readonly messageId: string;
  readonly role: MessageRole;
  readonly text: string;
  readonly timestamp: Date;
}

/**
 * Stores messages; one with a known id replaces the text and keeps its position. Repeating it has no further effect.
 * `at` is in ms since the start of the call.
 */
export async function upsertMessages(
  db: Db,
  params: { readonly callId: string; readonly messages: readonly TranscriptMessage[] },
): Promise<void> {
  if (params.messages.length === 0) return;
  // A statement must not change a row twice.
  const latest = new Map(params.messages.map((message) => [message.messageId, message]));
  await db.execute(sql`
    insert into messages (call_id, message_id, role, text, timestamp)
    select calls.id, message."messageId", message.role, message.text,
      calls.start_at + message.at * interval '1 ms'
    from calls, rows from (
      jsonb_to_recordset(${storableJson([...latest.values()])}::jsonb)
        as ("messageId" text, role text, text text, at float8)
      ) with ordinality as message ("messageId", role, text, at, place)
    where calls.id = ${params.callId}
    order by message.place
    on conflict (call_id, message_id) do update
      set role = excluded.role, text = excluded.text, timestamp = excluded.timestamp`);
}

/** Messages in the order of their first appearance. */
export async function listMessages(
  db: Db,
  params: { readonly callId: string },
): Promise<readonly Message[]> {
  return db
    .select({
      messageId: messages.messageId,
      role: messages.role,
      text: messages.text,
      timestamp: messages.timestamp,
    })
    .from(messages)
    .where(eq(messages.callId, params.callId))
    .orderBy(asc(messages.position));
}
