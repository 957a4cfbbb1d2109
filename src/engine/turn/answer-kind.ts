import { wordsOf } from '../language/words.ts';
import type { Mind } from '../machine/mind.ts';
import { normalise } from '../reply/reply.ts';

/** What answers a turn: the model, the welcome (W2), or the end of the call (E3). */
export function answerKind(mind: Mind, text: string): 'model' | 'welcome' | 'farewell' {
  const { endCall } = mind.settings;
  const said = normalise(text);
  if (endCall.enabled && endCall.phrases.some((phrase) => normalise(phrase) === said)) {
    return 'farewell';
  }
  return isFirstGreeting(mind, text) ? 'welcome' : 'model';
}

// W2: who waits for the caller answers a mere greeting with the welcome.
function isFirstGreeting(mind: Mind, text: string): boolean {
  const { mode, message } = mind.settings.welcome;
  return (
    mode === 'assistant-waits-for-user' &&
    message !== '' &&
    mind.language.greetings.covers(wordsOf(text)) &&
    !mind.entries.some((entry) => entry.role === 'assistant') &&
    mind.entries.filter((entry) => entry.role === 'user').length <= 1
  );
}
