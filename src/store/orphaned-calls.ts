import { type SQL, sql } from 'drizzle-orm';
import type { FailureCause } from '../contract/failures.ts';
import { TAKEN } from './calls.ts';
import type { Db } from './db.ts';
import { failedEnd, logFailedEnd } from './failed-end.ts';
import {
  type CallStage,
  recordWebhookEvents,
  type Subscription,
  statusUpdate,
  subscriptionColumn,
} from './outbox.ts';

/** End reason of a call whose node has died. */
const SERVICE_RESTARTED = 'service-restarted';

/** Time for a node to take a call after its record was created. */
const UNTAKEN_SECONDS = 120;

/**
 * Ends the calls of nodes that are no longer registered, at the time of the last line in their journals. Returns the
 * calls.
 */
export async function closeOrphanedCalls(
  db: Db,
): Promise<readonly { readonly id: string; readonly teamId: string }[]> {
  return endAndTell(
    db,
    sql`
    update calls set
      node_id = ${TAKEN},
      status = case when status = 'forwarded' then status else 'finished' end,
      phone_call_status = case
        when phone_call_status = 'in-progress' then 'completed'
        when phone_call_status in ('trying', 'early-media', 'ringing') then 'failed'
        else phone_call_status end,
      wrap_up = coalesce(wrap_up, 'due'),
      end_reason = coalesce(end_reason, ${SERVICE_RESTARTED}),
      end_at = start_at + coalesce(
        (select max(at) from call_events where call_id = calls.id), 0) * interval '1 ms'
    where end_at is null and ${hasNoNode}
      and (node_id is not null or (
        not (call_type = 'web' and status = 'queued')
        and start_at < clock_timestamp() - ${UNTAKEN_SECONDS}::integer * interval '1 s'))`,
  );
}

const hasNoNode = sql`not exists (select from nodes where nodes.id = calls.node_id)`;

/** End reason of a web call whose media socket was not opened in time. */
const NEVER_CONNECTED = 'never-connected';

/** Ends web calls that still wait for a socket after their last token has expired. */
export async function closeUnconnectedCalls(
  db: Db,
  params: { readonly now?: Date } = {},
): Promise<readonly { readonly id: string; readonly teamId: string }[]> {
  const now = (params.now ?? new Date()).toISOString();
  return endAndTell(
    db,
    sql`
    update calls set status = 'finished', wrap_up = 'due', end_reason = ${NEVER_CONNECTED}, end_at = ${now}::timestamptz
    where end_at is null and status = 'queued' and call_type = 'web' and node_id is null
      and not exists (select from media_tokens
        where call_id = calls.id and purpose = 'media' and expires_at > ${now}::timestamptz)`,
  );
}

type Ended = {
  readonly id: string;
  readonly team_id: string;
  readonly start_at: string;
  readonly end_at: string;
  readonly end_reason: string;
  readonly failure: FailureCause | null;
} & Omit<CallStage, 'phoneCallStatus'> & {
    readonly phone_call_status: CallStage['phoneCallStatus'];
    readonly subscription: Subscription | null;
  };

/** Runs an update that ends calls, and queues their webhooks. */
async function endAndTell(
  db: Db,
  update: SQL,
): Promise<readonly { readonly id: string; readonly teamId: string }[]> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.execute<Ended>(sql`${update}
      returning id, team_id, start_at, end_at, end_reason, failure, status, phone_call_status,
        ${subscriptionColumn} as subscription`);
    for (const row of rows) {
      const { id: callId, status, subscription, failure, end_reason: endReason } = row;
      const stage = { status, phoneCallStatus: row.phone_call_status };
      const ended = { endReason, endAt: new Date(row.end_at), ...(failure ? { failure } : {}) };
      const failed = failedEnd(ended, stage);
      const webhookEvents = [statusUpdate(stage, ended.endAt), ...(failed ? [failed] : [])];
      await recordWebhookEvents(tx, { callId, subscription, webhookEvents });
      await logFailedEnd(tx, { callId, startAt: new Date(row.start_at), ...ended });
    }
    return rows.map((row) => ({ id: row.id, teamId: row.team_id }));
  });
}

/** Settles ended calls whose process died before it could complete their record. */
export async function settleEndedCalls(db: Db): Promise<void> {
  await db.execute(
    sql`update calls set wrap_up = 'due' where end_at is not null and wrap_up is null and ${hasNoNode}`,
  );
}

/** The team of a call that has ended and that no live node may still write to. */
export async function findAbandonedCall(
  db: Db,
  params: { readonly id: string },
): Promise<{ readonly teamId: string } | undefined> {
  const { rows } = await db.execute<{ team_id: string }>(
    sql`select team_id from calls where id = ${params.id} and end_at is not null and ${hasNoNode}`,
  );
  return rows[0] && { teamId: rows[0].team_id };
}
