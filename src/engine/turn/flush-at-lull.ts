import { vocabularyOf } from '../language/vocabulary.ts';
import type { Effects } from '../machine/effects.ts';
import { textOf } from '../reply/segments.ts';
import type { CallState } from '../state/call-state.ts';
import { progressOf } from './dictation.ts';
import { isDeaf } from './floor.ts';
import { lastQuestion } from './last-question.ts';

/**
 * S6: the caller has been silent for a moment, so the recogniser is asked for its final text before that is a pause. A
 * value that is being dictated is left whole: recognisers write its digits together.
 */
export function flushAtLull(state: CallState, effects: Effects): void {
  const { turn, heard } = state.user;
  if (!turn || !heard.near || isDeaf(state, effects)) return;
  const { language } = vocabularyOf(state.settings);
  const { expectation } = lastQuestion(state.assistant.lastHeard, language);
  if (expectation || progressOf(undefined, textOf(turn.segments), language) !== 'whole') return;
  effects.emit({ type: 'stt.flush' });
}
