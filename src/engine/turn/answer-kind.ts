import { vocabularyOf } from '../language/vocabulary.ts';
import { contentWords, PhraseSet, wordsOf } from '../language/words.ts';
import type { CallState } from '../state/call-state.ts';
import { isUnwelcomed } from './greeting.ts';

/** What answers a turn: the model, the welcome (W2), or the end of the call (E3). */
export function answerKind(state: CallState, text: string): 'model' | 'welcome' | 'farewell' {
  if (state.settings.endCall.enabled && saysGoodbye(state, text)) return 'farewell';
  return isFirstGreeting(state, text) ? 'welcome' : 'model';
}

// "Okay, that will be all, thank you": besides the phrase there is nothing but courtesy.
function saysGoodbye({ settings }: CallState, text: string): boolean {
  const { backchannels, fillers } = vocabularyOf(settings).language;
  const phrases = new PhraseSet(settings.endCall.phrases);
  const words = wordsOf(text);
  return (
    phrases.within(words) &&
    contentWords(phrases.remove(words).join(' '), { backchannels, fillers }).length === 0
  );
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
