import { vocabularyOf } from '../language/vocabulary.ts';
import { contentWords, wordsOf } from '../language/words.ts';
import type { CallState } from '../state/call-state.ts';
import type { OpenTurn } from '../state/user-turn.ts';

/**
 * Whether the caller's words have content. `perhaps`: the words that do may yet be revised by the recogniser, or may
 * be the beginning of a backchannel.
 */
export type SpeechContent = 'none' | 'perhaps' | 'sure';

/** Whether the turn has content, and the number of its content words. */
export function speechContentOf(
  state: CallState,
  turn: OpenTurn | undefined = state.user.turn,
): { readonly content: SpeechContent; readonly words: number } {
  const texts = turn?.segments ?? [];
  const { language, hints } = vocabularyOf(state.settings);
  const count = (text: string) => contentWords(text, language, hints).length;
  const all = count(texts.map(({ text }) => text).join(' '));
  if (all === 0) return { content: 'none', words: 0 };
  if (texts.every(({ final }) => final)) return { content: 'sure', words: all };
  const settled = texts.map(({ text, final }) => (final ? text : withoutLastWord(text))).join(' ');
  const words = language.fillers.remove(wordsOf(settled));
  const sure = count(settled) > 0 && !language.backchannels.mayCover(words);
  return { content: sure ? 'sure' : 'perhaps', words: all };
}

// The last word of an interim is often incomplete.
const withoutLastWord = (text: string) => text.trim().replace(/\S+$/, '');
