import type { CallStatus, PhoneCallStatus } from '../contract/call.ts';

const NEXT: Record<CallStatus, readonly CallStatus[]> = {
  queued: ['ongoing', 'finished'],
  ongoing: ['forwarded', 'finished'],
  forwarded: [],
  finished: [],
};

const PHONE_NEXT: Record<PhoneCallStatus, readonly PhoneCallStatus[]> = {
  trying: ['early-media', 'ringing', 'in-progress', 'busy', 'no-answer', 'failed'],
  'early-media': ['ringing', 'in-progress', 'busy', 'no-answer', 'failed'],
  ringing: ['early-media', 'in-progress', 'busy', 'no-answer', 'failed'],
  'in-progress': ['completed', 'failed'],
  busy: [],
  'no-answer': [],
  failed: [],
  completed: [],
};

/** True if a call's status can change from one to the other, including through statuses skipped by a batch. */
export function canReachStatus(from: CallStatus, to: CallStatus): boolean {
  return canReach(NEXT, from, to);
}

/** The same for the status of a phone call's line; any status may be the first. */
export function canReachPhoneStatus(from: PhoneCallStatus | null, to: PhoneCallStatus): boolean {
  return from === null || canReach(PHONE_NEXT, from, to);
}

function canReach<State extends string>(
  next: Record<State, readonly State[]>,
  from: State,
  to: State,
): boolean {
  const seen = new Set<State>([from]);
  for (const state of seen) {
    if (state === to) return true;
    for (const following of next[state]) seen.add(following);
  }
  return false;
}
