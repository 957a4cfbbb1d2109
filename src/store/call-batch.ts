import type { TranscriptMessage, TurnMetrics } from '../call/commands.ts';
import type { Failure } from '../call/events.ts';
import type { CallEndTrigger, CallStatus, PhoneCallStatus } from '../contract/call.ts';
import type { JournalLine } from '../ports/journal.ts';
import { appendCallEvents } from './call-events.ts';
import { changeCall } from './calls.ts';
import type { Db } from './db.ts';
import { upsertMessages } from './messages.ts';
import type { CallRecording } from './schema/calls.ts';

/** What changes on the call's own record; instants are epoch ms. */
export interface CallPatch {
  readonly status?: CallStatus;
  readonly phoneCallStatus?: PhoneCallStatus;
  readonly answeredAt?: number;
  readonly endAt?: number;
  readonly endReason?: string;
  readonly endTrigger?: CallEndTrigger;
  readonly failure?: Failure;
  readonly metrics?: readonly TurnMetrics[];
  readonly recording?: CallRecording;
}

/** Everything of one flush of a call's record. */
export interface CallBatch {
  readonly callId: string;
  readonly lines: readonly JournalLine[];
  readonly messages: readonly TranscriptMessage[];
  readonly patch?: CallPatch;
}

/** Keeps a flush whole or not at all; written again, it changes nothing. */
export async function writeCallBatch(
  db: Db,
  params: { readonly teamId: string } & CallBatch,
): Promise<void> {
  const { teamId, callId, lines, messages, patch = {} } = params;
  const { answeredAt, endAt, ...rest } = patch;
  await db.transaction(async (tx) => {
    await changeCall(tx, {
      teamId,
      id: callId,
      change: {
        ...rest,
        ...(answeredAt === undefined ? {} : { answeredAt: new Date(answeredAt) }),
        ...(endAt === undefined ? {} : { endAt: new Date(endAt) }),
      },
    });
    await appendCallEvents(tx, { callId, lines });
    await upsertMessages(tx, { callId, messages });
  });
}
