import { applyOverrides } from '../contract/apply-overrides.ts';
import type { ConnectedCall } from '../contract/call.ts';
import { Problem } from '../contract/errors.ts';
import { presentCall } from '../contract/present-call.ts';
import { newCallId } from '../lib/ids.ts';
import { type CallRecord, createCall, finishCall } from '../store/calls.ts';
import { findNumberCredentials, getNumber, type NumberRecord } from '../store/numbers.ts';
import { refuseUnplayableSound } from './background-sound.ts';
import { admittedFields, type ConnectDeps, type ConnectParams } from './call-fields.ts';
import { askCarrier, openAccount } from './carrier-account.ts';
import { chooseAssistant } from './choose-assistant.ts';
import { refuseUnlessCallable } from './may-call.ts';
import { refuseUntestedPin } from './refuse-untested.ts';

/** Dials a customer from one of the team's numbers. Throws Problem, before dialling, if the call is not possible. */
export async function connectPhoneCall(
  deps: ConnectDeps,
  { teamId, input, baseUrl, phoneNumberId }: ConnectParams & { readonly phoneNumberId: string },
): Promise<ConnectedCall> {
  const { db, dialer, carriers } = deps;
  const number = await getNumber(db, { teamId, id: phoneNumberId });
  const to = input.customer?.number;
  if (to === undefined) throw new Error('the schema lets no phone call pass without a customer');
  refuseUnlessUsable(number, input.assistant !== undefined || input.assistantId !== undefined);
  const chosen = await chooseAssistant(deps, {
    teamId,
    inline: input.assistant,
    named: input.assistantId,
    attached: number.assistantId,
    // The number's version is one of its own assistant.
    version:
      input.assistantVersion ??
      (input.assistantId === undefined ? (number.assistantVersion ?? undefined) : undefined),
  });
  const { assistantId, assistantVersion } = chosen;
  // That of the number was checked when it was set.
  if (input.assistantVersion !== undefined && assistantId !== null && assistantVersion !== null)
    await refuseUntestedPin(db, {
      ...{ teamId, id: assistantId, version: assistantVersion },
      field: 'assistantVersion',
    });
  refuseUnplayableSound(carriers, chosen.config, [number]);
  await refuseUnlessCallable(db, {
    ...{ teamId, number: to, nowMs: deps.now() },
    assistant: applyOverrides(chosen.config, input.assistantOverrides).assistant,
  });
  openAccount(carriers, number.provider, await findNumberCredentials(db, number));
  if (!dialer)
    throw new Problem({ kind: 'unavailable', message: 'This service places no phone calls' });
  const call = await db.transaction(async (tx) =>
    createCall(tx, {
      ...(await admittedFields(tx, deps, { teamId, input, baseUrl }, chosen)),
      id: newCallId('phone'),
      callType: 'phone',
      phoneCallStatus: 'trying',
      assistantNumber: number.number,
      numberId: number.id,
    }),
  );
  const request = {
    teamId,
    callId: call.id,
    numberId: number.id,
    to,
    baseUrl: deps.carrierBaseUrl ?? baseUrl,
  };
  try {
    await askCarrier(number.provider, (signal) => dialer.dial(request, signal));
  } catch (error) {
    await recordFailure(deps, call, error);
    throw error;
  }
  return presentCall(call, [], baseUrl);
}

function refuseUnlessUsable(
  { number, outboundEnabled, assistantId }: NumberRecord,
  hasAssistant: boolean,
): void {
  const refuse = (message: string) => new Problem({ kind: 'conflict', message });
  if (!outboundEnabled) throw refuse(`Outbound calls are switched off for ${number}`);
  if (!hasAssistant && assistantId === null)
    throw refuse(`No assistant: none is given, and none is attached to ${number}`);
}

/** Keeps the call's record, with the failure as its end. */
async function recordFailure(
  { db }: Pick<ConnectDeps, 'db'>,
  { teamId, id }: CallRecord,
  error: unknown,
): Promise<void> {
  await finishCall(db, {
    teamId,
    id,
    endReason: 'dialling-failed',
    phoneCallStatus: 'failed',
    failure: {
      code: error instanceof Problem ? error.kind : 'internal',
      message: error instanceof Problem ? error.message : 'the service failed',
    },
  });
}
