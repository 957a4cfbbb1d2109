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

/** How long a message is tried to be delivered. */
export const DELIVERY_LIFETIME_MS = 24 * 3600_000;

/** What the server of a call's assistant wants to hear, as the snapshot says. */
export interface Subscription {
  readonly kinds: readonly WebhookKind[];
  readonly url: string;
  /** Where the service was reached when the call was made. */
  readonly baseUrl: string | null;
}

/** Selects a call's subscription; null when nobody listens. */
export const subscriptionColumn = sql<Subscription | null>`
  case when ${calls.snapshot} #>> '{assistant,assistantServer,enabled}' = 'true' then jsonb_build_object(
    'kinds', ${calls.snapshot} #> '{assistant,assistantServer,messages}',
    'url', ${calls.snapshot} #> '{assistant,assistantServer,url}',
    'baseUrl', ${calls.snapshot} -> 'baseUrl') end`;

/** The states of a call that change while it lives. */
export interface CallStage {
  readonly status: CallStatus;
  readonly phoneCallStatus: PhoneCallStatus | null;
}

/** Something that a server may want to hear of: each kind with details of its own. */
export type WebhookEvent<Kind extends WebhookKind = WebhookKind> = WebhookContent<Kind> & {
  /** Told once for each cause. */
  readonly cause: string;
  readonly at: Date;
  /** As it was then, where more has happened since. */
  readonly stage?: CallStage;
  readonly messages?: readonly Message[];
};

/**
 * Puts what happened, in its order, among what the call's server is to be told: in the transaction that
 * made it so, whose lock on the call's row keeps the order. What was put there before is left alone. Says
 * whether there is something to send.
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
  const [call] = await tx.select(columns).from(calls).where(eq(calls.id, callId));
  if (!call) return false;
  const latest = wanted.every(({ messages }) => messages) ? [] : await listMessages(tx, { callId });
  const origin = URL.parse(subscription.url)?.origin ?? subscription.url;
  const now = new Date();
  const rows = wanted.map(({ kind, cause, at, details, stage, messages = latest }) => ({
    id: uuidv7(),
    callId,
    teamId: call.teamId,
    kind,
    cause,
    origin,
    createdAt: now,
    nextAttemptAt: now,
    expiresAt: new Date(now.getTime() + DELIVERY_LIFETIME_MS),
    message: {
      type: kind,
      timestamp: at.getTime(),
      call: presentCallSummary(asItWas(call, stage), subscription.baseUrl ?? ''),
      messages: messages.map(presentMessage),
      ...details,
    },
  }));
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

/** A change of status as it is told. */
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
