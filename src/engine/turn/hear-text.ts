import type { Effects } from '../machine/effects.ts';
import type { CallState } from '../state/call-state.ts';
import { heardOnHold } from '../transfer/transfer.ts';
import { wordsOverReply } from './barge-in.ts';
import { isDeaf } from './floor.ts';
import { soundsLikeMachine } from './screening.ts';
import { armEndpoint } from './turn-end.ts';
import type { SttText } from './user-message.ts';
import { takeText, voiceGoesOn } from './user-turn.ts';

/**
 * The recogniser says (more of) what the caller said. The most frequent event that means something: it changes no
 * state by itself, so it does not pass through the statechart, which would cost as much as the rules do.
 */
export function hearText(state: CallState, effects: Effects, event: SttText): void {
  const { user, screening, transfer } = effects.chart;
  const isScreened = screening === 'listening' || screening === 'classifying';
  if (isScreened && soundsLikeMachine(state, event.text)) effects.raise('internal.machineSpeaks');
  if (user !== 'silent' || !isDeaf(state, effects)) {
    voiceGoesOn(effects);
    takeText(state, effects, event);
    wordsOverReply(state, effects);
    if (user === 'pausing') armEndpoint(state, effects);
  }
  const isOnHold = transfer === 'dialing' || transfer === 'briefing';
  if (isOnHold && event.type === 'stt.final') heardOnHold(state, effects, event.text);
}
