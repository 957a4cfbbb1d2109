import type { Control } from '../../contract/control.ts';
import { Problem } from '../../contract/errors.ts';
import type { CallControl, ControlCommand } from '../../ports/call-control.ts';
import { getCall } from '../../store/calls.ts';
import type { Db } from '../../store/db.ts';

const LIVE = new Set(['queued', 'ongoing', 'forwarded']);

/** Passes a control request to the live call, wherever that lives. */
export async function controlCall(
  { db, control }: { readonly db: Db; readonly control: CallControl },
  params: { readonly teamId: string; readonly id: string; readonly request: Control },
): Promise<void> {
  const call = await getCall(db, params);
  if (!LIVE.has(call.status) || call.endAt !== null) throw refused('The call has ended');
  const command = toCommand(params.request);
  if (!command) throw refused(`A ${call.callType} call has no line for ${params.request.type}`);
  const result = await control.command(call.id, command);
  if (result.outcome === 'not-live') throw refused('The call is not live');
  if (result.outcome === 'refused') throw refused(result.reason);
}

function refused(message: string): Problem {
  return new Problem({ kind: 'not-live', message, data: { success: false } });
}

function toCommand({ type, message }: Control): ControlCommand | undefined {
  switch (type) {
    case 'say':
    case 'add-message':
      return { type, text: message };
    case 'end':
      return message === '' ? { type } : { type, text: message };
    case 'mute-user':
    case 'unmute-user':
      return { type: 'mute', who: 'user', on: type === 'mute-user' };
    case 'mute-assistant':
    case 'unmute-assistant':
      return { type: 'mute', who: 'assistant', on: type === 'mute-assistant' };
    default:
      return undefined;
  }
}
