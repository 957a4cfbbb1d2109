import { sql } from 'drizzle-orm';
import type { TurnMetrics } from '../contract/call-journal.ts';
import type { CallBatch } from '../ports/call-store.ts';
import { TAKEN } from './calls.ts';
import type { Db } from './db.ts';
import { storableJson } from './storable.ts';

/** What a flush brings that changes no status: nobody else has to be told of it. */
export type CallRecords = Pick<CallBatch, 'callId' | 'lines' | 'messages' | 'turns'>;

/** Adds turns to a call's metrics that are not there yet. */
export async function appendTurns(
  db: Db,
  params: { readonly callId: string; readonly turns: readonly TurnMetrics[] },
): Promise<void> {
  if (params.turns.length > 0) await writeCallRecords(db, [{ ...params, lines: [], messages: [] }]);
}

/**
 * Keeps lines, messages and turns of many calls by one statement, all or nothing; written again, it changes
 * nothing. A call stands in it once.
 */
export async function writeCallRecords(
  db: Db,
  records: readonly CallRecords[],
  { bySession = false }: { readonly bySession?: boolean } = {},
): Promise<void> {
  // A session that slept while others ended its call has nothing more to say of it.
  const mayWrite = bySession
    ? sql`not exists (select from calls where calls.id = batch.id and node_id = ${TAKEN})`
    : sql`true`;
  const batches = records.map(({ callId, lines, messages, turns = [] }) => ({
    id: callId,
    lines,
    // One statement may not touch a row twice.
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
