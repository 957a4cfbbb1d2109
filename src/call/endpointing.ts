import type { CallSettings } from './settings.ts';
import { type WordLists, wordsOf } from './words.ts';

/** What is known of the caller's open turn when it pauses. */
export interface PauseInput {
  /** Final and interim text so far. */
  readonly text: string;
  /** What the assistant was last heard to say. */
  readonly lastAssistantText: string;
  /** Probability that the caller is not done, when a predictor has spoken. */
  readonly unfinished: number | undefined;
  readonly hints: readonly string[];
}

export type EndpointingOptions = CallSettings['startSpeaking'];

const MAX_WAIT_MS = 10_000;
const DICTATION_HOLD_MS = 1800;
const SENTENCE_END = /[.?!…。？！]["'”’)\]]*\s*$/u;
const DICTATED = /\b(number|phone|card|code|e-?mail|address|date|spell|zip|account|order)\b/i;

/** How long after the end of speech the turn counts as over, ms (rules N2-N6, N8, N9). */
export function decideWait(
  input: PauseInput,
  options: EndpointingOptions,
  lists: WordLists,
): number {
  const { unfinished } = input;
  const base =
    options.smartEndpointing !== 'off' && unfinished !== undefined
      ? options.engineBaseMs + options.engineScaleMs * unfinished
      : punctuationWait(input.text, options, lists);
  const floor = floorWait(input, options, lists);
  return Math.min(MAX_WAIT_MS, Math.max(0, base, floor));
}

/** N3, N4. */
function punctuationWait(text: string, options: EndpointingOptions, lists: WordLists): number {
  if (endsInNumber(text, lists)) return options.onNumberMs;
  return SENTENCE_END.test(text) ? options.onPunctuationMs : options.onNoPunctuationMs;
}

/** N5, N6: what the caller is plainly in the middle of. */
function floorWait(input: PauseInput, options: EndpointingOptions, lists: WordLists): number {
  let floor = 0;
  if (isDictating(input, lists)) floor = Math.max(options.onNumberMs, DICTATION_HOLD_MS);
  if (endsOpen(input.text, lists) || isHintPrefix(input)) {
    floor = Math.max(floor, options.onNoPunctuationMs);
  }
  return floor;
}

export function endsInNumber(text: string, lists: WordLists): boolean {
  const last = wordsOf(text).at(-1);
  return last !== undefined && (/^\p{N}/u.test(last) || lists.numbers.has(last));
}

/** N6: the tail is a filler or a word after which nobody is done. */
export function endsOpen(text: string, lists: WordLists): boolean {
  if (/[.?!。？！]\s*$/u.test(text)) return false;
  const last = wordsOf(text).at(-1);
  return last !== undefined && (lists.fillers.has(last) || lists.openEnders.has(last));
}

/** N5: digits in groups, or parts of a value that the assistant has just asked for. */
export function isDictating(input: PauseInput, lists: WordLists): boolean {
  const spoken = wordsOf(input.text).filter(
    (word) => /^\p{N}+$/u.test(word) || lists.numbers.has(word),
  );
  if (!endsInNumber(input.text, lists)) return false;
  const digits = spoken.reduce((sum, word) => sum + (/^\p{N}+$/u.test(word) ? word.length : 1), 0);
  const asked = DICTATED.test(input.lastAssistantText) && /\?\s*$/.test(input.lastAssistantText);
  return asked ? digits < 16 : digits >= 3;
}

function isHintPrefix({ text, hints }: PauseInput): boolean {
  const words = wordsOf(text);
  return hints.some((hint) => {
    const parts = wordsOf(hint);
    for (let length = parts.length - 1; length >= 1; length--) {
      const tail = words.slice(-length).join(' ');
      if (tail !== '' && tail === parts.slice(0, length).join(' ')) return true;
    }
    return false;
  });
}
