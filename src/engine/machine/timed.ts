import type { CONSTANTS } from '../settings/constants.ts';
import type { Timer } from './timers.ts';

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
