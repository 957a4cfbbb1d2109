import { beginsWithStopPhrase, wordsOf } from '../language/words.ts';
import { CONSTANTS } from '../machine/constants.ts';
import type { Mind } from '../machine/mind.ts';
import { heardOf } from '../reply/heard-reply.ts';
import { addPiece, beginReply, type Reply } from '../reply/reply.ts';

/** A reply was interrupted: early enough, the caller gets a word that they were heard. */
export function noteInterruption(mind: Mind, reply: Reply): void {
  const plan = mind.settings.interruptionAck;
  const early = wordsOf(heardOf(reply)).length <= plan.words;
  const wanted = plan.enabled && plan.phrases.length > 0 && mind.acks < plan.count;
  mind.ackDue = wanted && early && reply.kind !== 'ack' && !reply.isProtected;
}

/** At a pause in which the caller is plainly not done, or has said nothing but "stop". */
export function acknowledgeAtPause(mind: Mind, text: string, unfinished: number | undefined): void {
  if (!mind.ackDue || mind.reply || mind.voiced || text === '') return;
  const words = wordsOf(text);
  const onlyStop =
    beginsWithStopPhrase(text, mind.language) &&
    mind.language.stopPhrases.remove(words).length === 0;
  if (!onlyStop && (unfinished ?? 0) < CONSTANTS.ackUnfinished) return;
  beginReply(mind, 'ack', { text: nextPhrase(mind) });
}

/** The answer to an interruption keeps the caller waiting: the word comes first. */
export function acknowledgeWait(mind: Mind): void {
  const { reply } = mind;
  if (!mind.ackDue || reply?.kind !== 'answer' || reply.utterances.length > 0 || reply.gated)
    return;
  addPiece(mind, reply, nextPhrase(mind), { filler: true });
}

function nextPhrase(mind: Mind): string {
  const { phrases } = mind.settings.interruptionAck;
  mind.ackDue = false;
  return phrases[mind.acks++ % phrases.length] as string;
}
