import type { Language } from '../language/language.ts';
import { spokenDigits } from '../language/spoken-digits.ts';
import { wordsOf } from '../language/words.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallSettings } from '../settings/settings.ts';
import { type Expectation, progressOf } from './dictation.ts';
import { waitShare } from './predictor.ts';
import { endsOpen, hesitates, isClosed } from './sentence-end.ts';

/** What decides how long to wait after the end of speech. */
export interface WaitInput {
  /** The open turn so far, final and interim text. */
  readonly text: string;
  readonly options: CallSettings['startSpeaking'];
  readonly language: Language;
  readonly hints: readonly (readonly string[])[];
  /** A turn-aware recogniser says that the turn is over. */
  readonly judgedOver: boolean;
  /** Probability that the caller has not finished; undefined without a prediction in time. */
  readonly p: number | undefined;
  /** The prediction counts the sound of the pause too, and not the words alone. */
  readonly heard: boolean;
  readonly expectation: Expectation | undefined;
  readonly askedYesNo: boolean;
  /** N7: extra wait, because the assistant has cut in on this caller. */
  readonly cutInMs: number;
}

export interface WaitDecision {
  /** Silence, from the end of speech, after which the turn is over. */
  readonly waitMs: number;
  /** Ids of the rules that led to it. */
  readonly rule: string;
  /** The text ends like a sentence, and no rule expects more. */
  readonly closed: boolean;
}

/** How long the caller must be silent before the turn counts as over. */
export function decideWait(input: WaitInput): WaitDecision {
  const { options } = input;
  if (input.judgedOver) return { waitMs: 0, rule: 'N1', closed: true };
  const words = wordsOf(input.text);
  const closed = isClosed(input.text);
  let { waitMs, rule } = baseWait(input, closed);
  let floored = false;
  const floor = (ms: number, name: string) => {
    floored = true;
    if (ms > waitMs) {
      waitMs = ms;
      rule += `+${name}`;
    }
  };
  const progress = progressOf(input.expectation, input.text, input.language);
  if (progress !== 'whole') floor(Math.max(options.onNumberMs, dictationMs(progress, input)), 'N5');
  if (hesitates(input.text, input.language)) {
    floor(Math.max(options.onNoPunctuationMs, CONSTANTS.hesitationHoldMs), 'N6');
  } else if (goesOn(words, input)) floor(options.onNoPunctuationMs, 'N6');
  if (input.cutInMs > 0) floor(waitMs + input.cutInMs, 'N7');
  if (!floored && input.askedYesNo && input.language.shortAnswers.covers(words)) {
    const ceiling = options.onPunctuationMs + 200;
    if (ceiling < waitMs) {
      waitMs = ceiling;
      rule += '+N8';
    }
  }
  return {
    waitMs: Math.min(CONSTANTS.maxWaitMs, Math.max(0, Math.round(waitMs))),
    rule,
    closed: closed && !floored,
  };
}

function baseWait(
  { p, heard, options, text, language }: WaitInput,
  closed: boolean,
): Omit<WaitDecision, 'closed'> {
  if (options.smartEndpointing === 'recogniser') {
    return { waitMs: CONSTANTS.judgeTimeoutMs, rule: 'N1' };
  }
  if (p !== undefined) {
    const share = heard ? waitShare(p) : p;
    return { waitMs: options.engineBaseMs + options.engineScaleMs * share, rule: 'N2' };
  }
  if (spokenDigits(text, language).endsInNumber) return { waitMs: options.onNumberMs, rule: 'N3' };
  return { waitMs: closed ? options.onPunctuationMs : options.onNoPunctuationMs, rule: 'N4' };
}

// If the words cannot tell whether a value is complete, a caller who sounds done gets a shorter wait.
function dictationMs(progress: 'part' | 'open', { p }: WaitInput): number {
  const believed = progress === 'open' && p !== undefined && p < CONSTANTS.dictationOverProbability;
  return believed ? CONSTANTS.dictationDoubtMs : CONSTANTS.dictationHoldMs;
}

function goesOn(words: readonly string[], { text, language, hints }: WaitInput): boolean {
  if (startsHint(words, hints)) return true;
  return !language.shortAnswers.covers(words) && endsOpen(text, language);
}

/** Whether the text ends with the first words of a longer hint. */
function startsHint(words: readonly string[], hints: WaitInput['hints']): boolean {
  return hints.some((hint) =>
    hint.some((_, length) => {
      if (length === 0) return false;
      const tail = words.slice(-length);
      return tail.length === length && tail.every((word, i) => word === hint[i]);
    }),
  );
}

/** Whether the assistant's last question can be answered by yes or no. */
export function asksYesNo(assistantText: string, language: Language): boolean {
  const questions = assistantText.match(/(?<![^.?!…。？！।])[^.?!…。？！।]+[?？]/gu);
  const words = wordsOf(questions?.at(-1) ?? '');
  const lead = language.fillers.matchAt(words, 0);
  return language.yesNoStarts.matchAt(words, lead) > 0 || language.yesNoStarts.endsWith(words);
}
