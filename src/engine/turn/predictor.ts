import type { Language } from '../language/language.ts';
import { spokenDigits } from '../language/spoken-digits.ts';
import { wordsOf } from '../language/words.ts';
import { type Expectation, progressOf } from './dictation.ts';
import { endsOpen, hasQuestionMark, hesitates, trailsOff } from './sentence-end.ts';

export interface PredictInput {
  readonly text: string;
  readonly language: Language;
  /** The value that the assistant last asked for. */
  readonly expectation: Expectation | undefined;
  readonly askedYesNo: boolean;
  /** Whole sentences that callers are expected to say, words only. */
  readonly expected: readonly string[];
}

const SENTENCE_END = /[.!。！।]["'”’)]*$/;
const LIST_END = /[,;:、，]$/;

/**
 * The probability that a caller who paused here has not finished, judged from the words alone:
 * 0 = surely done, 1 = surely not.
 */
export function predictUnfinished({
  text,
  language,
  expectation,
  askedYesNo,
  expected,
}: PredictInput): number {
  const trimmed = text.trim();
  const words = wordsOf(trimmed);
  if (words.length === 0) return 0.5;
  if (hesitates(trimmed, language)) return 0.95;
  const progress = progressOf(expectation, trimmed, language);
  if (progress !== 'whole') return progress === 'part' ? 0.9 : 0.6;
  if (hasQuestionMark(trimmed) || isWholeSentence(words, expected)) return 0.05;
  if (trailsOff(trimmed)) return 0.8;
  if (isShortAnswer(words, language, askedYesNo)) return 0.1;
  if (LIST_END.test(trimmed)) return 0.7;
  const open = endsOpen(trimmed, language);
  const asks = language.interrogatives.matchAt(words, 0) > 0;
  if (SENTENCE_END.test(trimmed)) {
    // Recognisers put full stops at pauses too.
    if (open) return 0.75;
    // Of a whole question they write the mark.
    if (asks) return 0.4;
    return language.markers.endsWith(words) ? 0.4 : 0.12;
  }
  if (open) return 0.85;
  if (expectation && spokenDigits(trimmed, language).endsInNumber) return 0.15;
  if (words.length >= 4 && language.questionStarts.matchAt(words, 0) > 0) return 0.3;
  return 0.5;
}

function isShortAnswer(words: readonly string[], language: Language, askedYesNo: boolean): boolean {
  if (language.shortAnswers.covers(words)) return askedYesNo;
  return language.greetings.covers(words);
}

/** The caller said an expected sentence, and no expected sentence continues it. */
function isWholeSentence(words: readonly string[], expected: readonly string[]): boolean {
  const said = words.join(' ');
  let known = false;
  for (const sentence of expected) {
    if (sentence === said) known = true;
    else if (sentence.startsWith(`${said} `)) return false;
  }
  return known;
}

/** Words count for less than sound, because punctuation is often the recogniser's guess. */
const WORDS_WEIGHT = 0.7;
/** Added because cutting in is worse than waiting. */
const CAUTION = 0.2;

/** Combines the predictions from the sound and from the words of a pause. */
export function combineJudgements(bySound: number, byWords: number): number {
  const logit = (p: number) => {
    const bounded = Math.min(0.99, Math.max(0.01, p));
    return Math.log(bounded / (1 - bounded));
  };
  const both = logit(bySound) + WORDS_WEIGHT * logit(byWords) + CAUTION;
  return 1 / (1 + Math.exp(-both));
}

/** Wait per probability, in shares of `EngineScaleValue`: where the sound is doubtful, and where it is sure of more. */
const DOUBTFUL_SLOPE = 1.25;
const DOUBTFUL_TO = 0.85;
const SURE_FROM = 0.9;
const SURE_SHARE = 1.6;

/**
 * Share of `EngineScaleValue` to wait after a pause that was also judged by its sound. Few ends of turns sound as if
 * the caller goes on, so where the judgement is sure, a long wait is rarely paid for and the silence may last.
 */
export function waitShare(p: number): number {
  const doubtful = DOUBTFUL_SLOPE * Math.min(p, DOUBTFUL_TO);
  const sure = Math.min(1, Math.max(0, (p - DOUBTFUL_TO) / (SURE_FROM - DOUBTFUL_TO)));
  return doubtful + sure * (SURE_SHARE - DOUBTFUL_SLOPE * DOUBTFUL_TO);
}
