import type { CallBatch } from '../ports/call-store.ts';
import { appendCallEvents } from './call-events.ts';
import { appendTurns } from './call-records.ts';
import { webhookEventsOf } from './call-webhook-events.ts';
import { applyChange, type CallChange, sameStage, stageAfter } from './calls.ts';
import type { Db } from './db.ts';
import { failedEnd } from './failed-end.ts';
import { listMessages, upsertMessages } from './messages.ts';
import { recordWebhookEvents, statusUpdate } from './outbox.ts';

/**
 * Keeps a flush of a call's record, and what its server is told of it, whole or not at all; written again,
 * it changes nothing. Says whether there is something to tell.
 */
export async function writeCallBatch(
  db: Db,
  params: CallBatch & {
    readonly teamId: string;
    /** By the call's own session: refused as `call-taken` once another node has ended the call. */
    readonly bySession?: boolean;
  },
): Promise<boolean> {
  const { teamId, callId, lines, messages, turns = [], patch, bySession = false } = params;
  const change = changeOf(patch);
  return db.transaction(async (tx) => {
    const before = await applyChange(tx, { teamId, id: callId, change, bySession });
    const fresh = await appendCallEvents(tx, { callId, lines });
    const { subscription } = before;
    const known = subscription ? await listMessages(tx, { callId }) : [];
    await upsertMessages(tx, { callId, messages });
    await appendTurns(tx, { callId, turns });
    if (!subscription) return false;
    const told = webhookEventsOf(fresh, {
      startAt: before.startAt,
      stage: before,
      messages: known,
    });
    const stage = stageAfter(told.stage, change);
    // A status that no line of the journal tells, such as that of a call that broke.
    const untold = sameStage(told.stage, stage)
      ? []
      : [statusUpdate(stage, change.endAt ?? new Date())];
    const failed = failedEnd(change, stage);
    const webhookEvents = [...told.webhookEvents, ...untold, ...(failed ? [failed] : [])];
    return recordWebhookEvents(tx, { callId, subscription, webhookEvents });
  });
}

function changeOf({ answeredAt, endAt, ...rest }: CallBatch['patch']): CallChange {
  return {
    ...rest,
    ...(answeredAt === undefined ? {} : { answeredAt: new Date(answeredAt) }),
    ...(endAt === undefined ? {} : { endAt: new Date(endAt) }),
  };
}
