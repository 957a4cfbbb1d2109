import type { CallBatch } from '../ports/call-store.ts';
import { appendCallEvents } from './call-events.ts';
import { changeCall } from './calls.ts';
import type { Db } from './db.ts';
import { upsertMessages } from './messages.ts';

/** Keeps a flush of a call's record, whole or not at all; written again, it changes nothing. */
export async function writeCallBatch(
  db: Db,
  params: { readonly teamId: string } & CallBatch,
): Promise<void> {
  const { teamId, callId, lines, messages, patch } = params;
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
