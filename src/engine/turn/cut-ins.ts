import { textOf } from '../reply/segments.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';
import { judgePause } from './turn-end.ts';

/** N7: the assistant cut in on the caller, or nearly did, so the next turns get more time. */
export function learnCutIn({ user }: CallState): void {
  user.cutInMs = Math.min(CONSTANTS.cutInMaxMs, user.cutInMs + CONSTANTS.cutInStepMs);
  user.cutInTurns = CONSTANTS.cutInTurns;
}

/** N7: a caller who goes on after so long a pause, and after words that might have been all, was nearly cut off. */
export function survivePause(state: CallState, onsetAt: number): void {
  const { turn, voiced } = state.user;
  if (!turn || voiced || turn.segments.length === 0) return;
  if (onsetAt - turn.speechEndAt < CONSTANTS.survivedPauseMs) return;
  const { p } = judgePause(state, textOf(turn.segments));
  if ((p ?? 0) <= CONSTANTS.survivedMaxProbability) learnCutIn(state);
}

/** N7: a turn without a cut-in. */
export function forgetCutIn({ user }: CallState): void {
  user.cutInTurns = Math.max(0, user.cutInTurns - 1);
  user.cutInMs = Math.max(0, user.cutInMs - CONSTANTS.cutInStepMs);
}
