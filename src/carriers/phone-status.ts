import type { PhoneCallStatus } from '../contract/call.ts';

const RANK: Readonly<Record<PhoneCallStatus, number>> = {
  trying: 0,
  ringing: 1,
  'early-media': 1,
  'in-progress': 2,
  busy: 3,
  'no-answer': 3,
  failed: 3,
  completed: 3,
};

/** After one of these a line says nothing more. */
export function isTerminalStatus(status: PhoneCallStatus): boolean {
  return RANK[status] === 3;
}

/**
 * What a reported status makes of a line's: reports come late, twice and in any order, so it only ever
 * moves up. Undefined: nothing changes.
 */
export function nextPhoneStatus(
  current: PhoneCallStatus | undefined,
  reported: PhoneCallStatus,
): PhoneCallStatus | undefined {
  if (current === undefined) return reported;
  if (isTerminalStatus(current) || reported === current) return undefined;
  if (RANK[reported] < RANK[current]) return undefined;
  // Whatever ended it, a line that was answered is completed.
  if (current === 'in-progress') return 'completed';
  return reported;
}
