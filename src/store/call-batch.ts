import { alertsOf } from '../contract/call-alerts.ts';
import type { CallBatch, WebhookUpdateLine } from '../ports/call-store.ts';
import { callBeganAt } from './call-clock.ts';
import { appendCallEvents } from './call-events.ts';
import { appendTurns, raiseAlerts } from './call-records.ts';
import { applyChange, type CallChange, sameStage, stageAfter } from './calls.ts';
import type { Db } from './db.ts';
import { keepCallerFromCalls } from './do-not-call.ts';
import { failedEnd } from './failed-end.ts';
import { listMessages, type Message, upsertMessages } from './messages.ts';
import { type CallStage, recordWebhookEvents, statusUpdate, type WebhookEvent } from './outbox.ts';

/**
 * Stores a batch of a call's record and queues its webhooks, all or nothing. Repeating it has no further effect.
 * Returns true if webhooks were queued.
 */
export async function writeCallBatch(
  db: Db,
  params: CallBatch & {
    readonly teamId: string;
    /** That of the writing session: throws CallTakenError once the call belongs to another. Absent: no session writes. */
    readonly epoch?: number | undefined;
  },
): Promise<boolean> {
  const { teamId, callId, lines, webhookUpdates = [], messages, turns = [], patch, epoch } = params;
  const change = changeOf(patch);
  return db.transaction(async (tx) => {
    const before = await applyChange(tx, { teamId, id: callId, change, epoch });
    const fresh = await appendCallEvents(tx, { teamId, callId, lines });
    if (params.doNotCall) await keepCallerFromCalls(tx, { teamId, callId });
    const { subscription } = before;
    const known = subscription ? await listMessages(tx, { callId }) : [];
    await upsertMessages(tx, { teamId, callId, messages });
    await appendTurns(tx, { teamId, callId, turns });
    await raiseAlerts(tx, { callId, alerts: alertsOf(lines) });
    if (!subscription) return false;
    const isFresh = new Set(fresh.map(({ seq }) => seq));
    const byLines = webhookEventsOf(
      webhookUpdates.filter(({ seq }) => isFresh.has(seq)),
      { beganAt: change.answeredAt ?? callBeganAt(before), stage: before, messages: known },
    );
    const stage = stageAfter(byLines.stage, change);
    // A status change without a journal line, such as that of a failed call.
    const byChange = sameStage(byLines.stage, stage)
      ? []
      : [statusUpdate(stage, change.endAt ?? new Date())];
    const failed = failedEnd(change, stage);
    const webhookEvents = [...byLines.webhookEvents, ...byChange, ...(failed ? [failed] : [])];
    return recordWebhookEvents(tx, { callId, subscription, webhookEvents });
  });
}

/** The webhooks of new lines, each with the call and conversation at its time, and the call's last stage. */
function webhookEventsOf(
  updates: readonly WebhookUpdateLine[],
  before: {
    readonly beganAt: Date;
    readonly stage: CallStage;
    readonly messages: readonly Message[];
  },
): { readonly webhookEvents: readonly WebhookEvent[]; readonly stage: CallStage } {
  const conversation = new Map(before.messages.map((message) => [message.messageId, message]));
  const webhookEvents: WebhookEvent[] = [];
  let { stage } = before;
  const instant = (at: number) => new Date(before.beganAt.getTime() + Math.round(at));
  for (const { seq, at, message, webhook } of updates) {
    if (message && 'role' in message) {
      const { messageId, role, text } = message;
      conversation.set(messageId, { messageId, role, text, timestamp: instant(message.at) });
    } else if (message) {
      const known = conversation.get(message.messageId);
      if (!known) continue;
      conversation.set(message.messageId, { ...known, text: message.text });
    }
    if (!webhook) continue;
    const cause = `line:${seq}`;
    const messages = [...conversation.values()];
    if (webhook.kind === 'status-update') {
      const { status, phoneCallStatus = stage.phoneCallStatus } = webhook.details;
      const next = { status, phoneCallStatus };
      if (sameStage(stage, next)) continue;
      stage = next;
      webhookEvents.push({ ...statusUpdate(stage, instant(at), cause), messages });
    } else webhookEvents.push({ ...webhook, cause, at: instant(at), stage, messages });
  }
  return { webhookEvents, stage };
}

function changeOf({ answeredAt, endAt, ...rest }: CallBatch['patch']): CallChange {
  return {
    ...rest,
    ...(answeredAt === undefined ? {} : { answeredAt: new Date(answeredAt) }),
    ...(endAt === undefined ? {} : { endAt: new Date(endAt) }),
  };
}
