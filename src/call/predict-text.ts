import { endsInNumber, endsOpen, isDictating, type PauseInput } from './endpointing.ts';
import { type WordLists, wordsOf } from './words.ts';

/** The built-in text predictor: how likely it is, 0…1, that the caller has not finished. */
export function predictUnfinished(input: Omit<PauseInput, 'unfinished'>, lists: WordLists): number {
  const text = input.text.trim();
  const words = wordsOf(text);
  const last = words.at(-1);
  if (last === undefined) return 0.5;
  if (lists.fillers.has(last)) return 0.95;
  if (isDictating({ ...input, unfinished: undefined }, lists)) return 0.9;
  if (endsOpen(text, lists)) return 0.85;
  if (/,$/.test(text)) return 0.7;
  if (answersQuestion(words, input.lastAssistantText, lists)) return 0.1;
  if (/[?？]["'”’)\]]*$/u.test(text)) return 0.05;
  if (/[.!…。！]["'”’)\]]*$/u.test(text)) return endsInNumber(text, lists) ? 0.3 : 0.12;
  return words.length >= 3 ? 0.5 : 0.6;
}

function answersQuestion(words: readonly string[], question: string, lists: WordLists): boolean {
  return (
    /[?？]\s*$/u.test(question.trim()) &&
    words.length <= 3 &&
    words.every((word) => lists.yesNo.has(word))
  );
}
