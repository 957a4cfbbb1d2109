import { eq, sql } from 'drizzle-orm';
import { errorDetails, FAILURES, type FailureCause, failureOfEnd } from '../contract/failures.ts';
import { appendCallEvents } from './call-events.ts';
import type { Db } from './db.ts';
import type { CallStage, WebhookEvent } from './outbox.ts';
import { callEvents } from './schema/calls.ts';

/** The end of a call in its record. */
interface Ended {
  readonly endReason?: string | undefined;
  readonly endAt?: Date | undefined;
  readonly failure?: (FailureCause & { readonly retryable?: boolean }) | undefined;
}

/** The `error` webhook of a failed call; undefined if its end is no error. */
export function failedEnd(
  { endReason, endAt = new Date(), failure }: Ended,
  stage: CallStage,
): WebhookEvent<'error'> | undefined {
  const described = failureOfEnd(endReason, failure);
  if (!described || !FAILURES[described.code].isError) return undefined;
  const error = errorDetails(described, { retryable: failure?.retryable === true });
  return { kind: 'error', cause: 'failed-end', at: endAt, stage, details: { error } };
}

/** Appends the failure to a call's journal, if no session writes it. */
export async function logFailedEnd(
  tx: Db,
  params: Ended & {
    readonly teamId: string;
    readonly callId: string;
    /** What the times of its record count from. */
    readonly beganAt: Date;
    readonly endAt: Date;
  },
): Promise<void> {
  const { teamId, callId, beganAt, endAt, endReason, failure } = params;
  const described = failureOfEnd(endReason, failure);
  if (!described) return;
  const [last] = await tx
    .select({ seq: sql<number>`coalesce(max(${callEvents.seq}), -1)` })
    .from(callEvents)
    .where(eq(callEvents.callId, callId));
  const at = Math.max(0, endAt.getTime() - beganAt.getTime());
  const line = { seq: (last?.seq ?? -1) + 1, at, kind: 'note', type: 'failure' } as const;
  await appendCallEvents(tx, { teamId, callId, lines: [{ ...line, data: { ...described } }] });
}
