import { type SQL, sql } from 'drizzle-orm';
import type { FailureCause } from '../contract/failures.ts';
import { deleteCheckpoints } from './call-checkpoints.ts';
import { countedFrom } from './call-clock.ts';
import type { Db } from './db.ts';
import { failedEnd, logFailedEnd } from './failed-end.ts';
import { type NodeRecord, registerNode, renewLease } from './nodes.ts';
import {
  type CallStage,
  recordWebhookEvents,
  type Subscription,
  statusUpdate,
  subscriptionColumn,
} from './outbox.ts';

/** End reason of a call whose node has died. */
const SERVICE_RESTARTED = 'service-restarted';

/** Now, cut to whole milliseconds. A column rounds to the nearest, and that may be in the future. */
const thisMillisecond = sql`date_trunc('milliseconds', clock_timestamp())`;

/** Time for a node to take a call after its record was created. */
const UNTAKEN_SECONDS = 120;

/**
 * Removes dead nodes: these, and those whose lease has expired. Their calls are orphans from the time at which the
 * nodes are known to have died, and were lost at the last sign of life: a node that nobody watched may have died long
 * before anyone knew. Returns the ids of the nodes.
 */
export async function removeDeadNodes(
  db: Db,
  params: {
    readonly ids: readonly string[];
    /** Of these, those whose process ended just now. */
    readonly endedNow?: ReadonlySet<string>;
    /**
     * Absent: nobody is judged by a lease. A node at `place` gets `graceMs` more: it is known to have a process, so it
     * is merely slow.
     */
    readonly expired?: { readonly place: string; readonly graceMs: number };
  },
): Promise<readonly string[]> {
  const { place = null, graceMs = 0 } = params.expired ?? {};
  const endedNow = params.ids.filter((id) => params.endedNow?.has(id));
  const { rows } = await db.execute<{ id: string }>(sql`
    with dead as (
      delete from nodes where id in (select json_array_elements_text(${JSON.stringify(params.ids)}::json))
        or lease_until + case place when ${place} then ${graceMs}::integer else 0 end * interval '1 ms'
          < clock_timestamp() and ${params.expired !== undefined}
      returning id, lease_until, lease_ms
    ), orphaned as (
      update calls set
        orphaned_at = least(${thisMillisecond}, dead.lease_until),
        lost_at = case
          when dead.id in (select json_array_elements_text(${JSON.stringify(endedNow)}::json)) then ${thisMillisecond}
          else least(${thisMillisecond}, dead.lease_until - dead.lease_ms * interval '1 ms') end
      from dead where calls.node_id = dead.id and calls.end_at is null
    )
    select id from dead`);
  return rows.map(({ id }) => id);
}

/** The node lives, though others took it for dead: its calls are no orphans, except those that others have taken. */
async function reclaimCalls(db: Db, params: { readonly nodeId: string }): Promise<void> {
  await db.execute(
    sql`update calls set orphaned_at = null where node_id = ${params.nodeId} and end_at is null`,
  );
}

/**
 * Renews the lease of a node. If others took it for dead, it is a node again with its calls, unless that is wanted no
 * more: an answer of the store may be late.
 */
export async function keepNode(
  db: Db,
  params: {
    readonly node: NodeRecord;
    readonly leaseMs: number;
    /** Another renews it, since this node cannot reach the store. */
    readonly isCutOff?: boolean;
    readonly isWanted: () => boolean;
  },
): Promise<'renewed' | 'registered-anew' | 'unwanted'> {
  const { node, isWanted } = params;
  if (await renewLease(db, { ...params, id: node.id })) return 'renewed';
  if (!isWanted()) return 'unwanted';
  await registerNode(db, params);
  await reclaimCalls(db, { nodeId: node.id });
  return 'registered-anew';
}

/** Of these calls, those that have ended or that the node does not own. */
export async function callsLostBy(
  db: Db,
  params: { readonly nodeId: string; readonly callIds: readonly string[] },
): Promise<readonly string[]> {
  if (params.callIds.length === 0) return [];
  const { rows } = await db.execute<{ id: string }>(sql`
    select asked.id from json_array_elements_text(${JSON.stringify(params.callIds)}::json) as asked(id)
    where not exists (select from calls
      where calls.id = asked.id and node_id = ${params.nodeId} and end_at is null)`);
  return rows.map(({ id }) => id);
}

/** Of these calls, those that have ended or that another node owns. */
export async function callsTakenFrom(
  db: Db,
  params: { readonly nodeId: string; readonly callIds: readonly string[] },
): Promise<readonly string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from calls where id in (select json_array_elements_text(${JSON.stringify(params.callIds)}::json))
      and (end_at is not null or node_id <> ${params.nodeId})`);
  return rows.map(({ id }) => id);
}

/** Gives up calls of this node, so that any other may take them: their callers come back at once. */
export async function giveUpCalls(
  db: Db,
  params: { readonly ids: readonly string[]; readonly nodeId: string },
): Promise<void> {
  await db.execute(sql`
    update calls set node_id = null, orphaned_at = ${thisMillisecond}, lost_at = ${thisMillisecond}
    where id in (select json_array_elements_text(${JSON.stringify(params.ids)}::json))
      and node_id = ${params.nodeId} and end_at is null`);
}

/** A call that another node has now, and since when it had none, as far as that is known. */
interface TakenCall {
  readonly id: string;
  readonly teamId: string;
  readonly epoch: number;
  readonly lostAt: Date | null;
}

/**
 * Gives a call whose node has died or given it up to another. Returns `alive` while its node is still registered, and
 * undefined if the call has ended or has had another owner since `epoch`.
 */
export async function takeOrphanedCall(
  db: Db,
  params: { readonly id: string; readonly epoch: number; readonly nodeId: string },
): Promise<TakenCall | 'alive' | undefined> {
  const { id, epoch, nodeId } = params;
  // One statement: all calls of a dead node are taken at once, and each further one would wait for the others'.
  // A node that lets go of a call gives it up before it takes it again.
  const { rows } = await db.execute<{
    team_id: string;
    is_orphan: boolean;
    lost_at: string | null;
  }>(sql`
    with found as (
      select id, team_id, node_id is distinct from ${nodeId} and ${hasNoNode} as is_orphan, lost_at from calls
      where id = ${id} and epoch = ${epoch} and end_at is null for update
    ), taken as (
      update calls set node_id = ${nodeId}, epoch = epoch + 1, orphaned_at = null
      from found where calls.id = found.id and is_orphan
    )
    select team_id, is_orphan, lost_at from found`);
  const [found] = rows;
  if (!found) return undefined;
  if (!found.is_orphan) return 'alive';
  const { team_id: teamId, lost_at: lostAt } = found;
  return { id, teamId, epoch: epoch + 1, lostAt: lostAt === null ? null : new Date(lostAt) };
}

/**
 * Ends the calls of nodes that are no longer registered, at the time of the last line in their journals. A caller or
 * carrier has `waitMs` after the death of the node to come back to another one. Returns the calls.
 */
export async function closeOrphanedCalls(
  db: Db,
  { waitMs = 0 }: { readonly waitMs?: number } = {},
): Promise<readonly { readonly id: string; readonly teamId: string }[]> {
  // A node that others took for dead may take calls before it knows: they get the same time as those it had.
  await db.execute(sql`
    update calls set orphaned_at = ${thisMillisecond}, lost_at = ${thisMillisecond}
    where end_at is null and orphaned_at is null and node_id is not null and ${hasNoNode}`);
  return endAndTell(
    db,
    sql`
    update calls set
      epoch = epoch + 1,
      orphaned_at = null,
      status = case when status = 'forwarded' then status else 'finished' end,
      phone_call_status = case
        when phone_call_status = 'in-progress' then 'completed'
        when phone_call_status in ('trying', 'early-media', 'ringing') then 'failed'
        else phone_call_status end,
      wrap_up = coalesce(wrap_up, 'due'),
      end_reason = coalesce(end_reason, ${SERVICE_RESTARTED}),
      end_at = ${countedFrom} + coalesce(
        (select max(at) from call_events where call_id = calls.id), 0) * interval '1 ms'
    where end_at is null and ${hasNoNode}
      and case when orphaned_at is null
        then not (call_type = 'web' and status = 'queued')
          and start_at < clock_timestamp() - ${UNTAKEN_SECONDS}::integer * interval '1 s'
        else orphaned_at + ${waitMs}::integer * interval '1 ms' <= clock_timestamp() end`,
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
  readonly began_at: string;
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
      returning id, team_id, ${countedFrom} as began_at, end_at, end_reason, failure, status, phone_call_status,
        ${subscriptionColumn} as subscription`);
    await deleteCheckpoints(
      tx,
      rows.map(({ id }) => id),
    );
    for (const row of rows) {
      const { id: callId, status, subscription, failure, end_reason: endReason } = row;
      const stage = { status, phoneCallStatus: row.phone_call_status };
      const ended = { endReason, endAt: new Date(row.end_at), ...(failure ? { failure } : {}) };
      const failed = failedEnd(ended, stage);
      const webhookEvents = [statusUpdate(stage, ended.endAt), ...(failed ? [failed] : [])];
      await recordWebhookEvents(tx, { callId, subscription, webhookEvents });
      await logFailedEnd(tx, {
        ...{ teamId: row.team_id, callId, beganAt: new Date(row.began_at) },
        ...ended,
      });
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
