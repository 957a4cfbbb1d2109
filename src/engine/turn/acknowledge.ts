import { vocabularyOf } from '../language/vocabulary.ts';
import { beginsWithStopPhrase, wordsOf } from '../language/words.ts';
import type { Effects } from '../machine/effects.ts';
import { heardPartOf } from '../reply/heard-reply.ts';
import { addPiece, beginReply } from '../reply/reply.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';
import type { Reply } from '../state/reply.ts';

/** Decides whether an interrupted reply has to be acknowledged; only an early interruption is. */
export function noteInterruption(state: CallState, reply: Reply): void {
  const plan = state.settings.interruptionAck;
  const early = wordsOf(heardPartOf(reply)).length <= plan.words;
  const wanted = plan.enabled && plan.phrases.length > 0 && state.assistant.acks < plan.count;
  state.assistant.ackDue = wanted && early && reply.kind !== 'ack' && !reply.isProtected;
}

/** Acknowledges the interruption in a pause if the caller is plainly not done, or only said "stop". */
export function acknowledgeAtPause(
  state: CallState,
  effects: Effects,
  text: string,
  unfinished: number | undefined,
): void {
  if (!state.assistant.ackDue || state.assistant.reply || state.user.voiced || text === '') return;
  const words = wordsOf(text);
  const onlyStop =
    beginsWithStopPhrase(text, vocabularyOf(state.settings).language) &&
    vocabularyOf(state.settings).language.stopPhrases.remove(words).length === 0;
  if (!onlyStop && (unfinished ?? 0) < CONSTANTS.ackMinProbability) return;
  beginReply(state, effects, 'ack', { text: nextPhrase(state) });
}

/** Acknowledges the interruption because the answer takes long. */
export function acknowledgeWait(state: CallState, effects: Effects): void {
  const { reply } = state.assistant;
  if (
    !state.assistant.ackDue ||
    reply?.kind !== 'answer' ||
    reply.utterances.length > 0 ||
    reply.gated
  )
    return;
  addPiece(state, effects, reply, nextPhrase(state), { filler: true });
}

function nextPhrase(state: CallState): string {
  const { phrases } = state.settings.interruptionAck;
  state.assistant.ackDue = false;
  return phrases[state.assistant.acks++ % phrases.length] as string;
}
