import type { Language } from '../language/language.ts';
import { spokenDigits } from '../language/spoken-digits.ts';
import { vocabularyOf } from '../language/vocabulary.ts';
import { contentWords, sameWords, wordsOf } from '../language/words.ts';
import type { Effects } from '../machine/effects.ts';
import { heardPartOf } from '../reply/heard-reply.ts';
import { textOf } from '../reply/segments.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';
import type { OpenTurn } from '../state/user-turn.ts';
import { isQuestion } from './sentence-end.ts';
import { isAboutThis } from './topic.ts';

const MOST_WORDS = 3;

/**
 * B16: few and short words over an answer that neither ask nor refuse nor name anything of this conversation. They
 * are probably a backchannel that stands in no list.
 */
export function mayBeBackchannel(state: CallState, effects: Effects): boolean {
  const { turn } = state.user;
  const { reply } = state.assistant;
  if (!turn || reply?.phase.name !== 'heard' || turn.overlap !== 'none') return false;
  if (reply.kind !== 'answer' && reply.kind !== 'result' && reply.kind !== 'say') return false;
  // B14: the caller was not done.
  if (turn.openedAt < reply.phase.startedAt + CONSTANTS.earlyWordsMs) return false;
  if (spokenMs(turn, effects) > CONSTANTS.backchannelMaxMs) return false;
  const text = textOf(turn.segments);
  const { language, hints } = vocabularyOf(state.settings);
  const words = contentWords(text, language, hints);
  if (withoutLead(wordsOf(text), language).length > MOST_WORDS) return false;
  if (words.some((word) => hints.has(word))) return false;
  if (words.some((word) => language.data.stopStems.some((stem) => word.startsWith(stem))))
    return false;
  if (language.stopPhrases.within(words) || language.refusals.within(words)) return false;
  if (isQuestion(text, language) || spokenDigits(words.join(' '), language).count > 0) return false;
  if (isQuestion(heardPartOf(reply), language)) return false;
  if (repeatsPassedOver(state, turn, text)) return false;
  return !isAboutThis(words, state, reply);
}

// "Oh wow, that's lovely": what is listed does not count where it comes first.
function withoutLead(words: readonly string[], { backchannels, fillers }: Language) {
  let from = 0;
  let step: number;
  do {
    step = Math.max(backchannels.matchAt(words, from), fillers.matchAt(words, from));
    from += step;
  } while (step > 0);
  return words.slice(from);
}

// Voice activity notices a soft voice late, and the recogniser may not know times.
function spokenMs({ voicedMs, voiceStartAt, words }: OpenTurn, effects: Effects): number {
  const voiced = voicedMs + (voiceStartAt === undefined ? 0 : effects.now - voiceStartAt);
  return Math.max(voiced, words === undefined ? 0 : words.to - words.from);
}

/** Remembers words that were passed over, because the same words once more are meant. */
export function passOver(
  { user }: CallState,
  effects: Effects,
  { turn, segments }: OpenTurn,
): void {
  user.passedOver = { turn, at: effects.now, text: textOf(segments) };
}

/** Who says the same again at once was not heard the first time. */
export function repeatsPassedOver(
  { user: { passedOver }, settings }: CallState,
  turn: OpenTurn,
  text: string,
): boolean {
  if (!passedOver || turn.turn === passedOver.turn) return false;
  if (turn.openedAt - passedOver.at > CONSTANTS.insistWithinMs) return false;
  return sameWords(text, passedOver.text, vocabularyOf(settings).language.fillers);
}
