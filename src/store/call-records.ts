import { sql } from 'drizzle-orm';
import type { TurnMetrics } from '../contract/call-journal.ts';
import type { CallBatch } from '../ports/call-store.ts';
import { TAKEN } from './calls.ts';
import type { Db } from './db.ts';
import { storableJson } from './storable.ts';

/** The parts of a batch that do not change a call's own record and cause no webhooks. */
export type CallRecords = Pick<CallBatch, 'callId' | 'lines' | 'messages' | 'turns'>;

/** Adds turns to a call's metrics unless they are there already. */
export async function appendTurns(
  db: Db,
  params: { readonly callId: string; readonly turns: readonly TurnMetrics[] },
): Promise<void> {
  if (params.turns.length > 0) await writeCallRecords(db, [{ ...params, lines: [], messages: [] }]);
}

/**
 * Stores lines, messages and turns of several calls in one statement, all or nothing. Repeating it has no further
 * effect. Each call may occur once.
 */
export async function writeCallRecords(
  db: Db,
  records: readonly CallRecords[],
  { bySession = false }: { readonly bySession?: boolean } = {},
): Promise<void> {
  // A session whose call was ended by another node may not write any more.
  const mayWrite = bySession
    ? sql`not exists (select from calls where calls.id = batch.id and node_id = ${TAKEN})`
    : sql`true`;
  const batches = records.map(({ callId, lines, messages, turns = [] }) => ({
    id: callId,
    lines,
    // A statement must not change a row twice.
    messages: [...new Map(messages.map((message) => [message.messageId, message])).values()],
    turns,
  }));
  await db.execute(sql`
    with batch as materialized (
      select id, lines, messages, turns from json_to_recordset(${storableJson(batches)}::json)
        as batch (id text, lines json, messages json, turns jsonb)
      where ${mayWrite}
    ), kept as (
      insert into call_events (call_id, seq, at, kind, type, data)
      select batch.id, seq, round(at), kind, type, data
      from batch, json_to_recordset(batch.lines)
        as line (seq integer, at float8, kind text, type text, data json)
      on conflict do nothing
    ), said as (
      insert into messages (call_id, message_id, role, text, timestamp)
      select calls.id, message."messageId", message.role, message.text,
        calls.start_at + message.at * interval '1 ms'
      from batch join calls on calls.id = batch.id, rows from (
        json_to_recordset(batch.messages) as ("messageId" text, role text, text text, at float8)
      ) with ordinality as message ("messageId", role, text, at, place)
      order by calls.id, message.place
      on conflict (call_id, message_id) do update
        set role = excluded.role, text = excluded.text, timestamp = excluded.timestamp
    )
    update calls set metrics = calls.metrics || (
      select coalesce(jsonb_agg(turn), '[]') from jsonb_array_elements(batch.turns) as turn
      where not calls.metrics @> jsonb_build_array(turn))
    from batch where calls.id = batch.id and batch.turns <> '[]'`);
}
