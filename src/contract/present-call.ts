import type { Call, CallSummary } from './call.ts';
import type { AlertKind, CallAlerts } from './call-alerts.ts';
import type { CallNote } from './call-review.ts';
import { type FailureCause, failureOfEnd, isFailedEnd } from './failures.ts';

type OrNull<T> = { readonly [K in keyof T]-?: NonNullable<T[K]> | null };

/** A time, compatible with Date. */
interface Instant {
  toISOString(): string;
  getTime(): number;
}

/** A stored call; absent fields are null. */
export interface StoredCall
  extends Pick<CallSummary, 'id' | 'teamId' | 'callType' | 'direction' | 'status'>,
    Pick<Required<CallSummary>, 'metadata'>,
    OrNull<
      Pick<
        CallSummary,
        | 'assistantId'
        | 'assistantVersion'
        | 'userNumber'
        | 'assistantNumber'
        | 'phoneCallStatus'
        | 'endReason'
        | 'consent'
        | 'playback'
        | 'cost'
        | 'analysis'
      >
    > {
  readonly startAt: Instant;
  readonly answeredAt: Instant | null;
  readonly endAt: Instant | null;
  readonly failure: FailureCause | null;
  readonly endTrigger: CallSummary['callEndTriggerBy'] | null;
  readonly customerName: string | null;
  readonly metrics: readonly Readonly<NonNullable<CallSummary['metrics']>[number]>[];
  readonly usage: readonly Readonly<NonNullable<CallSummary['usage']>[number]>[];
  readonly recording: {
    readonly sampleRateHz: number;
    readonly durationMs: number;
    readonly bytes: number;
    readonly stoppedAt?: string;
  } | null;
  readonly heldAt: Instant | null;
  readonly holdReason: string | null;
  readonly alerts: CallAlerts;
  readonly tags: readonly string[];
  readonly reviewedAt: Instant | null;
  readonly reviewedBy: string | null;
}

/** A stored message. */
export type StoredMessage = Omit<Call['messages'][number], 'timestamp'> & {
  readonly timestamp: Instant;
};

const CONVERSATIONS = '/calls/v1/conversations';

/** Converts a call to its form in lists. Fields that do not apply (yet) are omitted. */
export function presentCallSummary(call: StoredCall, baseUrl: string): CallSummary {
  const address = `${baseUrl}${CONVERSATIONS}/${call.id}`;
  const { recording, analysis, heldAt } = call;
  return {
    id: call.id,
    teamId: call.teamId,
    ...given('assistantId', call.assistantId),
    ...given('assistantVersion', call.assistantVersion),
    callType: call.callType,
    direction: call.direction,
    startAt: call.startAt.toISOString(),
    ...given('endAt', call.endAt?.toISOString()),
    ...given('userNumber', call.userNumber),
    ...given('assistantNumber', call.assistantNumber),
    status: call.status,
    ...given('phoneCallStatus', call.phoneCallStatus),
    ...given('callEndTriggerBy', call.endTrigger),
    ...given('endReason', call.endReason),
    ...given('failure', presentFailure(call)),
    monitor: { controlUrl: `${address}/control` },
    ...presentCustomer(call),
    metadata: { ...call.metadata },
    ...(analysis ? { analysis: { ...analysis } } : {}),
    metrics: call.metrics.map((turn) => ({ ...turn })),
    ...given('consent', call.consent),
    ...given('playback', call.playback),
    usage: call.usage.map((line) => ({ ...line })),
    ...given('cost', call.cost),
    ...(recording
      ? {
          recording: {
            url: `${address}/recording`,
            contentType: 'audio/wav',
            sampleRateHz: recording.sampleRateHz,
            durationMs: Math.round(recording.durationMs),
            bytes: recording.bytes,
            ...given('incompleteSince', recording.stoppedAt),
          },
        }
      : {}),
    ...(heldAt ? { hold: { since: heldAt.toISOString(), reason: call.holdReason ?? '' } } : {}),
    ...presentAlerts(call),
    ...(call.tags.length > 0 ? { tags: [...call.tags] } : {}),
    ...(call.reviewedAt
      ? { review: { at: call.reviewedAt.toISOString(), by: call.reviewedBy ?? '' } }
      : {}),
  };
}

function presentAlerts(call: StoredCall): Pick<CallSummary, 'alerts'> {
  const { alerts, startAt, answeredAt } = call;
  const raised = Object.entries(alerts) as [AlertKind, number][];
  if (raised.length === 0) return {};
  // The record counts from the answer.
  const waitedMs = answeredAt ? answeredAt.getTime() - startAt.getTime() : 0;
  return {
    alerts: raised
      .map(([kind, at]) => ({ kind, atMs: waitedMs + at }))
      .sort((a, b) => a.atMs - b.atMs),
  };
}

function presentFailure({ endReason, failure }: StoredCall): CallSummary['failure'] {
  const described = failureOfEnd(endReason, failure);
  return described && isFailedEnd(described.code)
    ? { ...described, code: described.code }
    : undefined;
}

export function presentCall(
  call: StoredCall,
  messages: readonly StoredMessage[],
  baseUrl: string,
): Call {
  return { ...presentCallSummary(call, baseUrl), messages: messages.map(presentMessage) };
}

export function presentMessage({ messageId, role, text, timestamp }: StoredMessage) {
  return { messageId, role, text, timestamp: timestamp.toISOString() };
}

/** A stored note. */
export interface StoredNote {
  readonly id: string;
  readonly text: string;
  readonly author: string;
  readonly createdAt: Instant;
}

export function presentNote({ id, text, author, createdAt }: StoredNote): CallNote {
  return { id, text, by: author, createdAt: createdAt.toISOString() };
}

function presentCustomer({ userNumber, customerName }: StoredCall): Pick<CallSummary, 'customer'> {
  if (userNumber === null && customerName === null) return {};
  return { customer: { ...given('number', userNumber), ...given('name', customerName) } };
}

function given<K extends string, V>(key: K, value: V | null | undefined): { [key in K]?: V } {
  return value === null || value === undefined ? {} : ({ [key]: value } as { [key in K]: V });
}
