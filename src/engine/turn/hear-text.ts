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
 * Handles text of the recogniser. It is the most frequent event with meaning and changes no state by itself, so it
 * bypasses the statechart, which would cost as much as the rules.
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
