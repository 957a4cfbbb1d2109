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

/** True for a status after which no other follows. */
export function isTerminalStatus(status: PhoneCallStatus): boolean {
  return RANK[status] === 3;
}

/**
 * The new status after a report; undefined if nothing changes. Reports come late, twice and in any order, so a status
 * only moves forward.
 */
export function nextPhoneStatus(
  current: PhoneCallStatus | undefined,
  reported: PhoneCallStatus,
): PhoneCallStatus | undefined {
  if (current === undefined) return reported;
  if (isTerminalStatus(current) || reported === current) return undefined;
  if (RANK[reported] < RANK[current]) return undefined;
  // An answered call ends as completed, whatever the report says.
  if (current === 'in-progress') return 'completed';
  return reported;
}
