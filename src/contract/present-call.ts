import type { Call, CallSummary } from './call.ts';
import { type FailureCause, failureOfEnd, isFailedEnd } from './failures.ts';

type OrNull<T> = { readonly [K in keyof T]-?: NonNullable<T[K]> | null };

/** A time, compatible with Date. */
interface Instant {
  toISOString(): string;
}

/** A stored call; absent fields are null. */
export interface StoredCall
  extends Pick<CallSummary, 'id' | 'teamId' | 'callType' | 'direction' | 'status'>,
    Pick<Required<CallSummary>, 'metadata'>,
    OrNull<
      Pick<
        CallSummary,
        | 'assistantId'
        | 'userNumber'
        | 'assistantNumber'
        | 'phoneCallStatus'
        | 'endReason'
        | 'playback'
        | 'cost'
        | 'analysis'
      >
    > {
  readonly startAt: Instant;
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
}

/** A stored message. */
export type StoredMessage = Omit<Call['messages'][number], 'timestamp'> & {
  readonly timestamp: Instant;
};

const CONVERSATIONS = '/calls/v1/conversations';

/** Converts a call to its form in lists. Fields that do not apply (yet) are omitted. */
export function presentCallSummary(call: StoredCall, baseUrl: string): CallSummary {
  const address = `${baseUrl}${CONVERSATIONS}/${call.id}`;
  const { recording, analysis } = call;
  return {
    id: call.id,
    teamId: call.teamId,
    ...given('assistantId', call.assistantId),
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

function presentCustomer({ userNumber, customerName }: StoredCall): Pick<CallSummary, 'customer'> {
  if (userNumber === null && customerName === null) return {};
  return { customer: { ...given('number', userNumber), ...given('name', customerName) } };
}

function given<K extends string, V>(key: K, value: V | null | undefined): { [key in K]?: V } {
  return value === null || value === undefined ? {} : ({ [key]: value } as { [key in K]: V });
}
