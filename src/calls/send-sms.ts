import { Problem } from '../contract/errors.ts';
import type { Carriers } from '../ports/carriers.ts';
import type { CallRecord } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import { findNumberCredentials, findNumberOfAnyTeam } from '../store/numbers.ts';
import { createText, hasOptedOut } from '../store/texts.ts';
import { askCarrier, openAccount } from './carrier-account.ts';

/** Sends a text message to the other party of a phone call, from the number of the call. Throws Problem. */
export async function sendSms(
  { db, carriers }: { readonly db: Db; readonly carriers: Carriers },
  { id: callId, teamId, userNumber, assistantNumber, assistantId }: CallRecord,
  text: string,
): Promise<void> {
  if (assistantNumber === null || userNumber === null) throw cannot('the call has no number');
  const number = await findNumberOfAnyTeam(db, { number: assistantNumber });
  if (number?.teamId !== teamId) throw cannot(`${assistantNumber} is no longer the team's`);
  const who = { teamId, numberId: number.id, userNumber };
  if (await hasOptedOut(db, who)) throw cannot(`${userNumber} wants no texts`);
  const credentials = await findNumberCredentials(db, number);
  const account = orCannot(() => openAccount(carriers, number.provider, credentials));
  const message = { from: assistantNumber, to: userNumber, text };
  await askCarrier(number.provider, async (signal) => {
    if (!account.sendText) throw cannot(`${number.provider} sends no texts`);
    const carrierMessageId = await account.sendText(message, signal);
    const written = { role: 'assistant', text, status: 'queued', carrierMessageId } as const;
    await createText(db, { ...who, ...written, callId, assistantId });
  });
}

function orCannot<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw error instanceof Problem ? cannot(error.message) : error;
  }
}

function cannot(reason: string): Problem {
  const message = `No text can be sent: ${reason}`;
  return new Problem({ kind: 'not-live', message, data: { success: false } });
}
