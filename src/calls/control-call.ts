import { type Control, controlEvent } from '../contract/control.ts';
import { Problem } from '../contract/errors.ts';
import type { CallControl } from '../ports/call-control.ts';
import type { Carriers } from '../ports/carriers.ts';
import { type CallRecord, getCall } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import { listDialNumbers } from '../store/dial-numbers.ts';
import { findNumberCredentials } from '../store/numbers.ts';
import { sendSms } from './send-sms.ts';

/**
 * Controls that only phone calls support. Transfers also work for web calls, since the team has numbers to dial from.
 */
const NEEDS_LINE: ReadonlySet<Control['type']> = new Set(['dtmf', 'sms']);

/** By then the process answers, or its calls have been ended. */
const RETRY_AFTER_SECONDS = 5;

/** Passes a control request to the live call, in whichever process it runs. Throws Problem if it is refused. */
export async function controlCall(
  deps: { readonly db: Db; readonly control: CallControl; readonly carriers: Carriers },
  params: { readonly teamId: string; readonly id: string; readonly request: Control },
): Promise<void> {
  const { request } = params;
  const call = await getCall(deps.db, params);
  if (call.status === 'finished' || call.endAt !== null) throw refused('The call has ended');
  if (call.callType === 'web' && NEEDS_LINE.has(request.type))
    throw refused(`A web call has no line for ${request.type}`);
  if (request.type === 'sms') {
    await sendSms(deps, call, request.message);
    return;
  }
  if (request.type === 'forward' && !(await mayDial(deps, call)))
    throw refused(
      'No number can dial the telephone: attach one to the assistant, or import one that may call out',
    );
  const result = await deps.control.command(call.id, controlEvent(request));
  if (result.outcome === 'not-live') throw refused('The call is not live');
  if (result.outcome === 'unreachable')
    throw new Problem({
      kind: 'unavailable',
      message: 'The process that has the call does not answer',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  if (result.outcome === 'refused') throw refused(result.reason);
}

/** True if the call has a number to dial from whose carrier account is known. */
async function mayDial(
  { db, carriers }: { readonly db: Db; readonly carriers: Carriers },
  call: CallRecord,
): Promise<boolean> {
  for (const { teamId, id, provider } of await listDialNumbers(db, call)) {
    if (carriers.ownCredentials(provider)) return true;
    if (await findNumberCredentials(db, { teamId, id })) return true;
  }
  return false;
}

function refused(message: string): Problem {
  return new Problem({ kind: 'not-live', message, data: { success: false } });
}
