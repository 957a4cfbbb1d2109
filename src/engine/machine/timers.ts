import type { CONSTANTS } from '../settings/constants.ts';

/** Everything that waits for an instant. At most one of each is pending. */
export type Timer =
  // The call
  | 'maxDuration'
  | 'maxDurationGrace'
  | 'farewell'
  | 'bridged'
  | 'mediaLost'
  | 'idle'
  | 'welcome'
  // The caller's turn
  | 'voiceAlive'
  | 'endpoint'
  | 'predict'
  | 'noText'
  | 'contentExpiry'
  | 'backchannel'
  | 'draft'
  | 'keys'
  | 'callerHold'
  // The assistant's reply
  | 'llmFirst'
  | 'hang'
  | 'filler'
  | 'giveUp'
  | 'ungate'
  | 'audioFloor'
  | 'stall'
  | 'hold'
  | 'voiceOnly'
  | 'resume'
  | 'heldMax'
  | 'cleared'
  | 'ack'
  | 'muted'
  // Tools
  | 'toolGate'
  | 'toolHold'
  | 'toolDelay'
  | 'toolOverdue'
  // Transfer and screening
  | 'transfer'
  | 'briefing'
  | 'screen'
  | 'beep';

type Delay = {
  [Name in keyof typeof CONSTANTS]: (typeof CONSTANTS)[Name] extends number ? Name : never;
}[keyof typeof CONSTANTS];

export interface ArmParams {
  readonly timer: Timer;
  readonly delay: Delay;
}

export interface DisarmParams {
  readonly timers: readonly Timer[];
}

/** On entry to a state: its timer, due after one of the constants of turn-taking. */
export const arms = (timer: Timer, delay: Delay) =>
  ({ type: 'arm', params: { timer, delay } }) as const;

/** On exit from a state: what it was waiting for. */
export const disarms = (...timers: readonly Timer[]) =>
  ({ type: 'disarm', params: { timers } }) as const;
