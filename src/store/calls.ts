import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { EndReason } from '../contract/failures.ts';
import { deleteCheckpoints } from './call-checkpoints.ts';
import { callBeganAt } from './call-clock.ts';
import { canReachPhoneStatus, canReachStatus } from './call-transitions.ts';
import type { Db } from './db.ts';
import { CallTakenError, IllegalTransitionError, NotFoundError } from './errors.ts';
import { failedEnd, logFailedEnd } from './failed-end.ts';
import {
  type CallStage,
  recordWebhookEvents,
  type Subscription,
  statusUpdate,
  subscriptionColumn,
} from './outbox.ts';
import { calls } from './schema/calls.ts';
import { callPlace, openedCall, sealedAnalysis, sealedSnapshot } from './sealed-calls.ts';
import { contentSealer } from './sealed-content.ts';

export type CallRecord = typeof calls.$inferSelect;

/** Changes to a call's record; absent fields stay unchanged. */
export interface CallChange {
  readonly status?: CallRecord['status'] | undefined;
  readonly phoneCallStatus?: NonNullable<CallRecord['phoneCallStatus']>;
  readonly answeredAt?: Date;
  readonly endAt?: Date;
  readonly endReason?: EndReason;
  readonly endTrigger?: NonNullable<CallRecord['endTrigger']>;
  readonly failure?: NonNullable<CallRecord['failure']>;
  readonly metrics?: CallRecord['metrics'];
  readonly playback?: NonNullable<CallRecord['playback']>;
  readonly usage?: CallRecord['usage'];
  readonly cost?: NonNullable<CallRecord['cost']>;
  readonly recording?: NonNullable<CallRecord['recording']>;
  readonly analysis?: NonNullable<CallRecord['analysis']>;
  readonly nodeId?: string;
  /** The record is complete, so the call can be wrapped up. */
  readonly settled?: true;
  readonly carrierCallId?: string;
}

interface One {
  readonly teamId: string;
  readonly id: string;
}

const own = ({ teamId, id }: One) => and(eq(calls.teamId, teamId), eq(calls.id, id));

/** Creates a queued call. The id is given, since tokens and paths contain it. */
export async function createCall(
  db: Db,
  params: Pick<CallRecord, 'id' | 'teamId' | 'callType' | 'direction' | 'snapshot'> &
    Partial<
      Pick<
        CallRecord,
        | 'assistantId'
        | 'assistantVersion'
        | 'publicKeyId'
        | 'phoneCallStatus'
        | 'startAt'
        | 'userNumber'
        | 'assistantNumber'
        | 'customerName'
        | 'numberId'
        | 'carrierCallId'
        | 'metadata'
        | 'nodeId'
      >
    >,
): Promise<CallRecord> {
  const { id, metadata = {} } = params;
  const seal = await contentSealer(db, params);
  const [call] = await db
    .insert(calls)
    .values({
      startAt: new Date(),
      ...params,
      metadata: seal.json(metadata, callPlace(id, 'metadata')),
      snapshot: sealedSnapshot(db, seal, params),
      status: 'queued',
    })
    .returning();
  return openedCall(db, call as CallRecord);
}

export async function findCall(db: Db, params: One): Promise<CallRecord | undefined> {
  const [call] = await db.select().from(calls).where(own(params));
  return call && openedCall(db, call);
}

/** For the service's own maintenance; requests use {@link getCall}, which takes a team. */
export async function findCallOfAnyTeam(
  db: Db,
  params: { readonly id: string },
): Promise<CallRecord | undefined> {
  const [call] = await db.select().from(calls).where(eq(calls.id, params.id));
  return call && openedCall(db, call);
}

/** Finds a call of a number by its id at the carrier. */
export async function findCarrierCall(
  db: Db,
  params: { readonly teamId: string; readonly numberId: string; readonly carrierCallId: string },
): Promise<CallRecord | undefined> {
  const { teamId, numberId, carrierCallId } = params;
  const [call] = await db
    .select()
    .from(calls)
    .where(
      and(
        eq(calls.teamId, teamId),
        eq(calls.numberId, numberId),
        eq(calls.carrierCallId, carrierCallId),
      ),
    );
  return call && openedCall(db, call);
}

export async function getCall(db: Db, params: One): Promise<CallRecord> {
  const call = await findCall(db, params);
  if (!call) throw new NotFoundError('call', params.id);
  return call;
}

/** The node of a call; undefined if the call has ended. */
export async function findCallNode(
  db: Db,
  params: { readonly id: string },
): Promise<string | undefined> {
  const [call] = await db
    .select({ nodeId: calls.nodeId })
    .from(calls)
    .where(and(eq(calls.id, params.id), isNull(calls.endAt)));
  return call?.nodeId ?? undefined;
}

/** The same by the call's id at the carrier. */
export async function findCarrierCallNode(
  db: Db,
  params: { readonly numberIds: readonly string[]; readonly carrierCallId: string },
): Promise<string | undefined> {
  const { numberIds, carrierCallId } = params;
  const [call] = await db
    .select({ nodeId: calls.nodeId })
    .from(calls)
    .where(
      and(
        inArray(calls.numberId, [...numberIds]),
        eq(calls.carrierCallId, carrierCallId),
        isNull(calls.endAt),
      ),
    );
  return call?.nodeId ?? undefined;
}

/** Makes a node the owner of a call. Returns the call's new epoch, which the owner's writes carry. */
export async function takeCall(db: Db, params: One & { readonly nodeId: string }): Promise<number> {
  const { nodeId } = params;
  const [taken] = await db
    .update(calls)
    .set({ nodeId, epoch: sql`${calls.epoch} + 1`, orphanedAt: null })
    .where(own(params))
    .returning({ epoch: calls.epoch });
  if (!taken) throw new NotFoundError('call', params.id);
  return taken.epoch;
}

/** Changes a call. Throws IllegalTransitionError for a status that cannot follow the stored one. */
export async function updateCall(
  db: Db,
  params: One & { readonly change: CallChange },
): Promise<CallRecord> {
  return db.transaction(async (tx) => {
    await changeCall(tx, params);
    return getCall(tx, params);
  });
}

/** Gives a call that has no session yet to a node: its epoch stays, since nobody's writes are to be refused. */
export async function moveCall(db: Db, params: One & { readonly nodeId: string }): Promise<void> {
  const { nodeId } = params;
  const { rowCount } = await db.update(calls).set({ nodeId, orphanedAt: null }).where(own(params));
  if (rowCount === 0) throw new NotFoundError('call', params.id);
}

/** {@link updateCall} within a transaction; queues a webhook if the status changes. */
export async function changeCall(
  tx: Db,
  params: One & { readonly change: CallChange },
): Promise<void> {
  const { id: callId, change } = params;
  const { subscription, ...before } = await applyChange(tx, params);
  const stage = stageAfter(before, change);
  const failed = failedEnd(change, stage);
  const webhookEvents = [
    ...(sameStage(before, stage) ? [] : [statusUpdate(stage, change.endAt ?? new Date())]),
    ...(failed ? [failed] : []),
  ];
  await recordWebhookEvents(tx, { callId, subscription, webhookEvents });
}

/** Changes a call without webhooks, and returns the needed parts of its previous state. */
export async function applyChange(
  tx: Db,
  params: One & { readonly change: CallChange; readonly epoch?: number | undefined },
): Promise<CallBefore> {
  const { id, change, epoch } = params;
  const before = await lockCall(tx, params);
  if (epoch !== undefined && epoch !== before.epoch) throw new CallTakenError(id);
  const { status, phoneCallStatus } = change;
  if (status !== undefined && !canReachStatus(before.status, status)) {
    throw new IllegalTransitionError('call', id, before.status, status);
  }
  if (
    phoneCallStatus !== undefined &&
    !canReachPhoneStatus(before.phoneCallStatus, phoneCallStatus)
  ) {
    throw new IllegalTransitionError('call', id, `${before.phoneCallStatus}`, phoneCallStatus);
  }
  const { settled, analysis, ...columns } = change;
  const seal = await contentSealer(tx, params);
  const values = {
    ...columns,
    ...(analysis ? { analysis: sealedAnalysis(seal, id, analysis) } : {}),
    // Set once, so that a repeated batch does not restart the wrap-up.
    ...(settled ? { wrapUp: sql`coalesce(${calls.wrapUp}, 'due')` } : {}),
  };
  if (Object.values(values).some((value) => value !== undefined))
    await tx.update(calls).set(values).where(own(params));
  if (change.endAt) await deleteCheckpoints(tx, [id]);
  return before;
}

/** A call before a change. */
export interface CallBefore extends CallStage {
  readonly startAt: Date;
  readonly answeredAt: Date | null;
  readonly endAt: Date | null;
  readonly epoch: number;
  readonly subscription: Subscription | null;
}

export function stageAfter(before: CallStage, change: Partial<CallStage>): CallStage {
  return {
    status: change.status ?? before.status,
    phoneCallStatus: change.phoneCallStatus ?? before.phoneCallStatus,
  };
}

export function sameStage(a: CallStage, b: CallStage): boolean {
  return a.status === b.status && a.phoneCallStatus === b.phoneCallStatus;
}

async function lockCall(tx: Db, params: One): Promise<CallBefore> {
  const [current] = await tx
    .select({
      status: calls.status,
      phoneCallStatus: calls.phoneCallStatus,
      startAt: calls.startAt,
      answeredAt: calls.answeredAt,
      endAt: calls.endAt,
      epoch: calls.epoch,
      subscription: subscriptionColumn,
    })
    .from(calls)
    .where(own(params))
    .for('no key update');
  if (!current) throw new NotFoundError('call', params.id);
  return current;
}

/** Ends a call; only the first end counts. A forwarded call keeps its status. */
export async function finishCall(
  db: Db,
  params: One & { readonly endReason: EndReason } & Pick<
      CallChange,
      'endTrigger' | 'failure' | 'phoneCallStatus' | 'endAt'
    >,
): Promise<CallRecord> {
  const { teamId, id, endAt = new Date(), ...change } = params;
  return db.transaction(async (tx) => {
    const current = await lockCall(tx, { teamId, id });
    if (!current.endAt) {
      const status = current.status === 'forwarded' ? undefined : 'finished';
      await changeCall(tx, { teamId, id, change: { ...change, endAt, status, settled: true } });
      const beganAt = callBeganAt(current);
      await logFailedEnd(tx, { teamId, callId: id, beganAt, endAt, ...change });
    }
    return getCall(tx, { teamId, id });
  });
}
