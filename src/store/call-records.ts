import { sql } from 'drizzle-orm';
import { alertsOf, type CallAlerts } from '../contract/call-alerts.ts';
import type { TurnMetrics } from '../contract/call-journal.ts';
import type { CallBatch } from '../ports/call-store.ts';
import { countedFrom } from './call-clock.ts';
import { sealedLines } from './call-events.ts';
import type { Db } from './db.ts';
import { sealedMessages } from './messages.ts';
import { type ContentSealer, contentSealer } from './sealed-content.ts';
import { storableJson } from './storable.ts';

/** The parts of a batch that do not change a call's own record and cause no webhooks. */
export type CallRecords = Pick<CallBatch, 'callId' | 'lines' | 'messages' | 'turns'> & {
  readonly teamId: string;
  /** That of the writing session; absent: no session writes. */
  readonly epoch?: number;
};

/** Adds turns to a call's metrics unless they are there already. */
export async function appendTurns(
  db: Db,
  params: {
    readonly teamId: string;
    readonly callId: string;
    readonly turns: readonly TurnMetrics[];
  },
): Promise<void> {
  if (params.turns.length > 0) await writeCallRecords(db, [{ ...params, lines: [], messages: [] }]);
}

/** Adds alerts to a call's record; a later one of the same kind replaces the time. */
export async function raiseAlerts(
  db: Db,
  { callId, alerts }: { readonly callId: string; readonly alerts: CallAlerts },
): Promise<void> {
  if (Object.keys(alerts).length === 0) return;
  await db.execute(
    sql`update calls set alerts = alerts || ${storableJson(alerts)}::jsonb where id = ${callId}`,
  );
}

/**
 * Stores lines, messages and turns of several calls in one statement, all or nothing. Repeating it has no further
 * effect. Each call may occur once. Returns the ids of the calls that belong to another owner by now, of which nothing
 * was stored.
 */
export async function writeCallRecords(
  db: Db,
  records: readonly CallRecords[],
): Promise<readonly string[]> {
  const seals = new Map<string, ContentSealer>();
  for (const { teamId } of records)
    if (!seals.has(teamId)) seals.set(teamId, await contentSealer(db, { teamId }));
  const batches = records.map(({ teamId, callId, epoch, lines, messages, turns = [] }) => {
    const seal = seals.get(teamId) as ContentSealer;
    // A statement must not change a row twice.
    const latest = new Map(messages.map((message) => [message.messageId, message]));
    return {
      id: callId,
      epoch,
      lines: sealedLines(seal, callId, lines),
      messages: sealedMessages(seal, callId, latest.values()),
      turns,
      alerts: alertsOf(lines),
    };
  });
  const { rows } = await db.execute<{ id: string }>(sql`
    with given as materialized (
      select * from json_to_recordset(${storableJson(batches)}::json)
        as given (id text, epoch integer, lines json, messages json, turns jsonb, alerts jsonb)
    ), owned as materialized (
      -- Nobody can take over a call between this look at its epoch and the end of the statement.
      select calls.id, calls.epoch from calls where calls.id in (select id from given) order by id for share
    ), batch as materialized (
      select given.* from given join owned using (id)
      where given.epoch is null or given.epoch = owned.epoch
    ), kept as (
      insert into call_events (call_id, seq, at, kind, type, data)
      select batch.id, seq, round(at), kind, type, data
      from batch, json_to_recordset(batch.lines)
        as line (seq integer, at float8, kind text, type text, data json)
      on conflict do nothing
    ), said as (
      insert into messages (call_id, message_id, role, text, timestamp)
      select calls.id, message."messageId", message.role, message.text,
        ${countedFrom} + message.at * interval '1 ms'
      from batch join calls on calls.id = batch.id, rows from (
        json_to_recordset(batch.messages) as ("messageId" text, role text, text text, at float8)
      ) with ordinality as message ("messageId", role, text, at, place)
      order by calls.id, message.place
      on conflict (call_id, message_id) do update
        set role = excluded.role, text = excluded.text, timestamp = excluded.timestamp
    ), measured as (
      update calls set metrics = calls.metrics || (
        select coalesce(jsonb_agg(turn), '[]') from jsonb_array_elements(batch.turns) as turn
        where not calls.metrics @> jsonb_build_array(turn)),
        alerts = calls.alerts || batch.alerts
      from batch where calls.id = batch.id and (batch.turns <> '[]' or batch.alerts <> '{}')
    )
    select id from given where id not in (select id from batch)`);
  return rows.map(({ id }) => id);
}
