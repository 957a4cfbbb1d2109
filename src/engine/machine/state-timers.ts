import { welcomeDelayMs } from '../reply/welcome.ts';
import { CONSTANTS } from '../settings/constants.ts';
import { idleTimeoutMs } from '../turn/idle.ts';
import type { Given } from './guards.ts';
import type { Timer } from './timers.ts';

/** Delays in ms that depend on the call. */
const CALCULATED = {
  maxDuration: ({ state }: Given) => state.settings.maxDurationMs,
  transferTimeout: ({ state }: Given) => state.settings.transfer.timeoutMs,
  welcomeDelay: ({ state }: Given) => welcomeDelayMs(state),
  idleTimeout: ({ state }: Given) => idleTimeoutMs(state),
  mediaLost: ({ state }: Given) =>
    state.settings.callType === 'web' ? CONSTANTS.mediaLostWebMs : CONSTANTS.mediaLostPhoneMs,
  /** V1: counted from the onset of speech, which voice activity reports late. */
  screenAfter: ({ state, effects }: Given) =>
    CONSTANTS.screenAfterMs - (effects.now - state.user.heard.onsetAt),
};

type Constant = {
  [Name in keyof typeof CONSTANTS]: (typeof CONSTANTS)[Name] extends number ? Name : never;
}[keyof typeof CONSTANTS];

/** The name of a delay: a constant of turn-taking, or one calculated from the call. */
export type Delay = Constant | keyof typeof CALCULATED;

export const delayMs = (delay: Delay, given: Given): number =>
  delay in CALCULATED
    ? CALCULATED[delay as keyof typeof CALCULATED](given)
    : CONSTANTS[delay as Constant];

export interface ArmParams {
  readonly timer: Timer;
  readonly delay: Delay;
}

export interface DisarmParams {
  readonly timers: readonly Timer[];
}

/** Arms a timer when a state is entered, or again while it lasts. */
export const arms = (timer: Timer, delay: Delay) =>
  ({ type: 'arm', params: { timer, delay } }) as const;

/** Disarms timers when a state is left. */
export const disarms = (...timers: readonly Timer[]) =>
  ({ type: 'disarm', params: { timers } }) as const;
