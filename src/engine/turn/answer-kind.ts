import { vocabularyOf } from '../language/vocabulary.ts';
import { wordsOf } from '../language/words.ts';
import { normalise } from '../reply/reply.ts';
import type { CallState } from '../state/call-state.ts';

/** What answers a turn: the model, the welcome (W2), or the end of the call (E3). */
export function answerKind(state: CallState, text: string): 'model' | 'welcome' | 'farewell' {
  const { endCall } = state.settings;
  const said = normalise(text);
  if (endCall.enabled && endCall.phrases.some((phrase) => normalise(phrase) === said)) {
    return 'farewell';
  }
  return isFirstGreeting(state, text) ? 'welcome' : 'model';
}

// W2: an assistant that waits for the caller answers a mere greeting with its welcome message.
function isFirstGreeting(state: CallState, text: string): boolean {
  const { mode, message } = state.settings.welcome;
  return (
    mode === 'assistant-waits-for-user' &&
    message !== '' &&
    vocabularyOf(state.settings).language.greetings.covers(wordsOf(text)) &&
    !state.entries.some((entry) => entry.role === 'assistant') &&
    state.entries.filter((entry) => entry.role === 'user').length <= 1
  );
}
