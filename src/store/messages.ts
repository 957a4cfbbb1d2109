import { asc, eq, sql } from 'drizzle-orm';
import type { MessageRole } from '../contract/call.ts';
import type { TranscriptMessage } from '../contract/call-journal.ts';
import { countedFrom } from './call-clock.ts';
import type { Db } from './db.ts';
import { messages } from './schema/calls.ts';
import { type ContentSealer, contentOpener, contentSealer } from './sealed-content.ts';
import { storableJson } from './storable.ts';

export interface Message {
  readonly messageId: string;
  readonly role: MessageRole;
  readonly text: string;
  readonly timestamp: Date;
}

/** Where the text of a message stands. */
export const messagePlace = (callId: string, messageId: string) => ({
  table: 'messages',
  owner: callId,
  part: messageId,
});

/** Messages as they are stored. */
export const sealedMessages = (
  seal: ContentSealer,
  callId: string,
  given: Iterable<TranscriptMessage>,
): readonly TranscriptMessage[] =>
  Array.from(given, (message) => ({
    ...message,
    text: seal.text(message.text, messagePlace(callId, message.messageId)),
  }));

/**
 * Stores messages; one with a known id replaces the text and keeps its position. Repeating it has no further effect.
 * `at` is in ms of the call's session.
 */
export async function upsertMessages(
  db: Db,
  params: {
    readonly teamId: string;
    readonly callId: string;
    readonly messages: readonly TranscriptMessage[];
  },
): Promise<void> {
  const { callId } = params;
  if (params.messages.length === 0) return;
  // A statement must not change a row twice.
  const latest = new Map(params.messages.map((message) => [message.messageId, message]));
  const sealed = sealedMessages(await contentSealer(db, params), callId, latest.values());
  await db.execute(sql`
    insert into messages (call_id, message_id, role, text, timestamp)
    select calls.id, message."messageId", message.role, message.text,
      ${countedFrom} + message.at * interval '1 ms'
    from calls, rows from (
      jsonb_to_recordset(${storableJson(sealed)}::jsonb)
        as ("messageId" text, role text, text text, at float8)
      ) with ordinality as message ("messageId", role, text, at, place)
    where calls.id = ${callId}
    order by message.place
    on conflict (call_id, message_id) do update
      set role = excluded.role, text = excluded.text, timestamp = excluded.timestamp`);
}

/** Messages in the order of their first appearance. */
export async function listMessages(
  db: Db,
  { callId }: { readonly callId: string },
): Promise<readonly Message[]> {
  const rows = await db
    .select({
      messageId: messages.messageId,
      role: messages.role,
      text: messages.text,
      timestamp: messages.timestamp,
    })
    .from(messages)
    .where(eq(messages.callId, callId))
    .orderBy(asc(messages.position));
  const open = await contentOpener(
    db,
    rows.map(({ text }) => text),
  );
  return rows.map((row) => ({
    ...row,
    text: open.text(row.text, messagePlace(callId, row.messageId)),
  }));
}
