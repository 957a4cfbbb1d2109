import type { PhoneCallStatus } from '../contract/call.ts';
import type { finishCall } from '../store/calls.ts';
import type { PhoneCall } from './phone-call.ts';

/** Why a call ended that had no session to say so. */
export type End = Pick<Parameters<typeof finishCall>[1], 'endReason' | 'failure'>;

/** Why a call is given up that nothing more was heard of. */
export const overdue: Readonly<Record<'no-answer' | 'failed', End>> = {
  'no-answer': { endReason: 'no-answer' },
  failed: { endReason: 'never-connected' },
};

/** The cause of a call whose sound the carrier could not bring here. */
const NO_MEDIA = 'no-media';

/** What a carrier's last word of a line says of the call. */
export function endOfLine(call: PhoneCall, status: PhoneCallStatus, cause?: string): End {
  if (cause === NO_MEDIA) return { endReason: NO_MEDIA };
  if (status !== 'busy' && status !== 'no-answer' && status !== 'failed')
    return { endReason: 'user-hung-up' };
  if (cause === undefined || cause === status) return { endReason: status };
  const provider = call.line.carrier.name;
  return {
    endReason: status,
    failure: { code: cause, message: `${provider} says ${cause}`, provider },
  };
}
