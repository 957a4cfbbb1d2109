import { wordsOf } from '../language/words.ts';
import type { CallState } from '../state/call-state.ts';
import type { Reply } from '../state/reply.ts';

/** How many of the last messages are what the conversation is about. */
const RECENT_MESSAGES = 6;
/** Shorter words are articles, pronouns and the like, whatever the language. */
const LEAST_LETTERS = 4;

/** Whether words name something that this conversation, or the reply that is heard, has named lately. */
export function isAboutThis(
  words: readonly string[],
  { entries }: CallState,
  reply: Reply,
): boolean {
  const texts = [
    ...reply.utterances.map(({ text }) => text),
    ...entries
      .slice(-RECENT_MESSAGES)
      .flatMap((entry) => (entry.role === 'user' || entry.role === 'assistant' ? entry.text : [])),
  ];
  const said = texts.flatMap((text) => wordsOf(text)).filter(isTelling);
  return words.filter(isTelling).some((word) => said.some((other) => isForm(word, other)));
}

const isTelling = (word: string) => word.length >= LEAST_LETTERS;

/** Two forms of one word: they differ in their last letters only. */
function isForm(a: string, b: string): boolean {
  const stem = Math.max(LEAST_LETTERS, Math.min(a.length, b.length) - 1);
  return Math.abs(a.length - b.length) <= 2 && a.slice(0, stem) === b.slice(0, stem);
}
