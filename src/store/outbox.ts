import { eq, getTableColumns, sql } from 'drizzle-orm';
import type { CallStatus, PhoneCallStatus } from '../contract/call.ts';
import { presentCallSummary, presentMessage } from '../contract/present-call.ts';
import type { WebhookKind } from '../contract/webhook-kinds.ts';
import type { WebhookContent } from '../contract/webhooks.ts';
import { uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { listMessages, type Message } from './messages.ts';
import { calls } from './schema/calls.ts';
import { deliveries } from './schema/deliveries.ts';
import { openedSummaries } from './sealed-calls.ts';
import { contentSealer } from './sealed-content.ts';

/** How long delivery of a webhook is attempted. */
export const DELIVERY_LIFETIME_MS = 24 * 3600_000;

/** Where a webhook stands. */
export const deliveryPlace = (callId: string, id: string) => ({
  table: 'deliveries',
  owner: callId,
  part: id,
});

/** The webhooks that a call's assistant has subscribed to, from the call's snapshot. */
export interface Subscription {
  readonly kinds: readonly WebhookKind[];
  readonly url: string;
  /** Base URL of the service when the call was created. */
  readonly baseUrl: string | null;
}

/** Selects a call's subscription; null if its assistant has no server. */
export const subscriptionColumn = sql<Subscription | null>`
  case when ${calls.snapshot} #>> '{assistant,assistantServer,enabled}' = 'true' then jsonb_build_object(
    'kinds', ${calls.snapshot} #> '{assistant,assistantServer,messages}',
    'url', ${calls.snapshot} #> '{assistant,assistantServer,url}',
    'baseUrl', ${calls.snapshot} -> 'baseUrl') end`;

/** The statuses of a call. */
export interface CallStage {
  readonly status: CallStatus;
  readonly phoneCallStatus: PhoneCallStatus | null;
}

/** An event that may be sent as a webhook; its details depend on its kind. */
export type WebhookEvent<Kind extends WebhookKind = WebhookKind> = WebhookContent<Kind> & {
  /** Only one webhook is sent for each cause. */
  readonly cause: string;
  readonly at: Date;
  /** Stage of the call at the time of the event; absent: the current one. */
  readonly stage?: CallStage;
  readonly messages?: readonly Message[];
};

/**
 * Queues webhooks for events, in order. It runs in the transaction that caused them, whose lock on the call's row keeps
 * the order. Events queued before are skipped. Returns true if there is something to send.
 */
export async function recordWebhookEvents(
  tx: Db,
  params: {
    readonly callId: string;
    readonly subscription: Subscription | null;
    readonly webhookEvents: readonly WebhookEvent[];
  },
): Promise<boolean> {
  const { callId, subscription } = params;
  if (!subscription) return false;
  const wanted = params.webhookEvents.filter(({ kind }) => subscription.kinds.includes(kind));
  if (wanted.length === 0) return false;
  const { snapshot: _snapshot, ...columns } = getTableColumns(calls);
  const found = await tx.select(columns).from(calls).where(eq(calls.id, callId));
  const [call] = await openedSummaries(tx, found);
  if (!call) return false;
  const latest = wanted.every(({ messages }) => messages) ? [] : await listMessages(tx, { callId });
  const origin = URL.parse(subscription.url)?.origin ?? subscription.url;
  const now = new Date();
  const { teamId } = call;
  const seal = await contentSealer(tx, { teamId });
  const rows = wanted.map(({ kind, cause, at, details, stage, messages = latest }) => {
    const id = uuidv7();
    const message = {
      type: kind,
      timestamp: at.getTime(),
      call: presentCallSummary(asItWas(call, stage), subscription.baseUrl ?? ''),
      messages: messages.map(presentMessage),
      ...details,
    };
    return {
      ...{ id, callId, teamId, kind, cause, origin },
      createdAt: now,
      nextAttemptAt: now,
      expiresAt: new Date(now.getTime() + DELIVERY_LIFETIME_MS),
      message: seal.json(message, deliveryPlace(callId, id)),
    };
  });
  await tx.insert(deliveries).values(rows).onConflictDoNothing();
  return true;
}

type Summary = Parameters<typeof presentCallSummary>[0];

function asItWas(call: Summary, stage: CallStage | undefined): Summary {
  if (!stage) return call;
  const { status, phoneCallStatus } = stage;
  const over = status === 'finished' || status === call.status;
  return over
    ? { ...call, status, phoneCallStatus }
    : { ...call, status, phoneCallStatus, endAt: null, endReason: null, endTrigger: null };
}

/** The `status-update` event of a stage. */
export function statusUpdate(
  stage: CallStage,
  at: Date,
  cause: string = `status:${uuidv7()}`,
): WebhookEvent<'status-update'> {
  const { status, phoneCallStatus } = stage;
  return {
    kind: 'status-update',
    cause,
    at,
    stage,
    details: { status, ...(phoneCallStatus ? { phoneCallStatus } : {}) },
  };
}
