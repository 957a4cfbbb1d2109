import { CONSTANTS } from '../machine/constants.ts';
import type { Mind } from '../machine/mind.ts';
import { reportTurn } from '../turn/turn-metrics.ts';
import { showHeard } from './heard-reply.ts';
import { notePlayed } from './played-words.ts';
import { findUtterance, normalise, pump, type Reply, settleReply } from './reply.ts';

export function playStarted(mind: Mind, uttId: number): void {
  const utterance = findUtterance(mind, uttId);
  const { reply } = mind;
  if (!utterance || !reply || reply.interruptedAt !== undefined) return;
  utterance.state = 'playing';
  utterance.markedAt = mind.now;
  mind.firstAudioAt ??= mind.now;
  mind.ttsFailures = 0;
  mind.armIn('stall', CONSTANTS.stall);
  mind.disarm('ungate');
  if (!utterance.filler) mind.disarm('llmFirst', 'hang', 'filler', 'giveUp');
  if (reply.startedAt !== undefined) return;
  reply.startedAt = mind.now;
  reportTurn(mind, reply);
}

/** The caller has heard this much of a piece. */
export function playProgressed(mind: Mind, uttId: number, playedMs: number): void {
  const utterance = findUtterance(mind, uttId);
  if (!utterance) return;
  utterance.playedMs = Math.max(utterance.playedMs, playedMs);
  utterance.markedAt = mind.now;
  if (mind.assistant === 'speaking') mind.armIn('stall', CONSTANTS.stall);
  showHeard(mind, false);
}

/** It sounds again, from where it was: the time in between is none of its own. */
export function playsOn(mind: Mind): void {
  for (const utterance of mind.reply?.utterances ?? [])
    if (utterance.state === 'playing') utterance.markedAt = mind.now;
}

export function playFinished(mind: Mind, uttId: number): void {
  const utterance = findUtterance(mind, uttId);
  const { reply } = mind;
  if (!utterance || !reply || reply.interruptedAt !== undefined) return;
  const heard = utterance.state === 'playing';
  utterance.state = heard ? 'done' : 'failed';
  utterance.playedMs = utterance.totalMs ?? Math.max(utterance.playedMs, 1);
  utterance.markedAt = mind.now;
  mind.disarm('stall');
  notePlayed(mind, utterance);
  showHeard(mind, false);
  if (heard && endsCall(mind, utterance.text)) {
    mind.ending ??= { reason: 'assistant-said-end-phrase', trigger: 'assistant' };
  }
  pump(mind);
  if (reply.utterances.some((other) => other.state === 'sent' || other.state === 'playing')) {
    mind.armIn('stall', CONSTANTS.stall);
  }
  settleReply(mind);
}

/** How long a reply will still sound; without end while its length is not known. */
export function remainingMs(mind: Mind, reply: Reply): number {
  if (reply.startedAt === undefined || !reply.textDone) return Number.POSITIVE_INFINITY;
  return reply.utterances.reduce((sum, { state, totalMs, playedMs, markedAt }) => {
    if (state === 'done' || state === 'failed') return sum;
    if (totalMs === undefined) return Number.POSITIVE_INFINITY;
    return sum + totalMs - playedMs - (state === 'playing' ? mind.now - markedAt : 0);
  }, 0);
}

/** E2: a phrase that ends the call, heard as whole words. */
function endsCall(mind: Mind, heard: string): boolean {
  const { endCall } = mind.settings;
  if (!endCall.enabled) return false;
  const text = ` ${normalise(heard)} `;
  return endCall.phrases.some((phrase) => text.includes(` ${normalise(phrase)} `));
}
