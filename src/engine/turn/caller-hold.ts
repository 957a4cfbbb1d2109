import { vocabularyOf } from '../language/vocabulary.ts';
import { wordsOf } from '../language/words.ts';
import type { Effects } from '../machine/effects.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';

/** V2: the caller asks the assistant to hold, which then waits in silence. */
export const asksToHold = (state: CallState, text: string) =>
  vocabularyOf(state.settings).language.holdPhrases.within(wordsOf(text));

export function beginCallerHold(state: CallState, effects: Effects): void {
  state.user.onHold = true;
  effects.armIn('callerHold', CONSTANTS.callerHoldMaxMs);
  effects.emit({ type: 'log', note: 'put on hold' });
}

export function endCallerHold(state: CallState, effects: Effects): void {
  if (!state.user.onHold) return;
  state.user.onHold = false;
  effects.disarm('callerHold');
}
