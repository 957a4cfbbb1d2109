import { vocabularyOf } from '../language/vocabulary.ts';
import { contentWords } from '../language/words.ts';
import type { Effects } from '../machine/effects.ts';
import { textOf } from '../reply/segments.ts';
import type { CallState } from '../state/call-state.ts';
import type { OpenTurn } from '../state/user-turn.ts';

/** One word beyond a greeting may be a name, or a greeting that stands in no list. */
const LEAST_WORDS = 2;
/** A welcome of which fewer words were heard was not said. */
const SAID_WORDS = 3;

/** W1: the words are a mere greeting, which the welcome message answers. */
export function greets(state: CallState, text: string): boolean {
  const { language, hints } = vocabularyOf(state.settings);
  const words = contentWords(text, language, hints);
  if (words.some((word) => hints.has(word))) return false;
  return language.greetings.remove(words).length < LEAST_WORDS;
}

/** W1: whoever asks for something before the welcome sounds gets an answer to that; a called party is welcomed. */
export function noticeRequest(state: CallState, effects: Effects, turn: OpenTurn): void {
  const { screening } = effects.chart;
  if (!turn.greeted || screening === 'listening' || screening === 'classifying') return;
  // The last word of an interim is often incomplete.
  const settled = turn.segments.map((segment) =>
    segment.final ? segment : { ...segment, text: segment.text.trim().replace(/\S+$/, '') },
  );
  if (!greets(state, textOf(settled))) turn.greeted = false;
}

/** W1: so little of the welcome was heard that it may be said again. */
export function isUnwelcomed({ entries }: CallState): boolean {
  const heard = entries.flatMap((entry) => (entry.role === 'assistant' ? [entry] : []));
  const words = heard.flatMap(({ text }) => text.split(/\s+/));
  return heard.every(({ cut }) => cut) && words.length < SAID_WORDS;
}
