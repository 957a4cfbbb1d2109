import { vocabularyOf } from '../language/vocabulary.ts';
import { wordsOf } from '../language/words.ts';
import { normalise } from '../reply/reply.ts';
import type { CallState } from '../state/call-state.ts';
import { isUnwelcomed } from './greeting.ts';

/** What answers a turn: the model, the welcome (W2), or the end of the call (E3). */
export function answerKind(state: CallState, text: string): 'model' | 'welcome' | 'farewell' {
  const { endCall } = state.settings;
  const said = normalise(text);
  if (endCall.enabled && endCall.phrases.some((phrase) => normalise(phrase) === said)) {
    return 'farewell';
  }
  return isFirstGreeting(state, text) ? 'welcome' : 'model';
}

// W1, W2: the welcome message answers a mere greeting, unless it was heard.
function isFirstGreeting(state: CallState, text: string): boolean {
  return (
    state.settings.welcome.message !== '' &&
    vocabularyOf(state.settings).language.greetings.covers(wordsOf(text)) &&
    isUnwelcomed(state) &&
    state.entries.filter((entry) => entry.role === 'user').length <= 1
  );
}
