import type { HeldCall } from '../carriers/emulator/emulated-carrier.ts';
import type { HandsetOwner } from '../gateway/handset-leg.ts';
import { newToken } from '../lib/ids.ts';
import { findCallOfTelephone } from '../store/carrier-calls.ts';
import type { Db } from '../store/db.ts';
import { findLegOfTelephone } from '../store/operator-legs.ts';
import { callbackUrl } from './call-routes.ts';
import { RING_SECONDS } from './phone-records.ts';

/** More than any transfer waits: the process of the call hangs up before. */
const LEG_RING_SECONDS = 300;

/** The call that a telephone of the built-in carrier has, or rings for, from a process of the carrier that ended. */
export async function heldCall(
  db: Db,
  { teamId, number }: HandsetOwner,
  baseUrl: string,
): Promise<HeldCall | undefined> {
  const found = await findCallOfTelephone(db, { teamId, number, carrier: 'emulator' });
  if (!found) return heldLeg(db, { teamId, number }, baseUrl);
  if (!found.carrierCallId || !found.assistantNumber) return undefined;
  const { id: callId, carrierCallId, assistantNumber, direction } = found;
  const routed = { baseUrl, carrier: 'emulator', callId } as const;
  // Each return is a request of its own, which the process of the call must not take for a repeated one.
  const voiceUrl = `${callbackUrl(routed, 'voice')}&again=${newToken()}`;
  return direction === 'inbound'
    ? { carrierCallId, from: number, to: assistantNumber, direction, voiceUrl }
    : {
        ...{ carrierCallId, from: assistantNumber, to: number, voiceUrl },
        direction: 'outbound-api',
        statusUrl: callbackUrl(routed, 'status'),
        ...(found.phoneCallStatus === 'in-progress' ? {} : { ringSeconds: RING_SECONDS }),
      };
}

/** The same for the telephone of an operator, who is wanted in another call or talks with its caller. */
async function heldLeg(
  db: Db,
  { teamId, number }: HandsetOwner,
  baseUrl: string,
): Promise<HeldCall | undefined> {
  const found = await findLegOfTelephone(db, { teamId, number, carrier: 'emulator' });
  if (!found?.carrierCallId) return undefined;
  const { id: callId, carrierCallId, from } = found;
  const routed = { baseUrl, carrier: 'emulator', callId, number: from } as const;
  return {
    ...{ carrierCallId, from, to: number, direction: 'outbound-api' },
    voiceUrl: `${callbackUrl(routed, 'voice')}&again=${newToken()}`,
    statusUrl: callbackUrl(routed, 'status'),
    ...(found.isAnswered ? {} : { ringSeconds: LEG_RING_SECONDS }),
  };
}
