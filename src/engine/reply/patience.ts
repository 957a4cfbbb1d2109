import type { Effects } from '../machine/effects.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';
import type { Reply } from '../state/reply.ts';
import { wasHeard } from './reply-phase.ts';

/** K3: starts the timers of a late answer. A second attempt of the model does not restart them. */
export function startPatience(state: CallState, effects: Effects, reply: Reply): void {
  if (wasHeard(reply) || state.assistant.isAwaited) return;
  state.assistant.isAwaited = true;
  effects.armIn('hang', CONSTANTS.hangMs);
  effects.armIn('filler', reply.fillerAfterMs ?? CONSTANTS.thinkMaxMs);
  effects.armIn('giveUp', CONSTANTS.giveUpMs);
  reply.fillerAfterMs = undefined;
}

export function endPatience(state: CallState, effects: Effects): void {
  state.assistant.isAwaited = false;
  effects.disarm('hang', 'filler', 'giveUp');
}

/** The reply is over or cancelled, so nothing is awaited any more. */
export function endWaits(state: CallState, effects: Effects): void {
  endPatience(state, effects);
  effects.disarm('llmFirst', 'toolHold');
}
