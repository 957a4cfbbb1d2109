import { vocabularyOf } from '../language/vocabulary.ts';
import { beginsWithStopPhrase, wordsOf } from '../language/words.ts';
import type { Effects } from '../machine/effects.ts';
import { playProgressed, resumePlayback } from '../reply/playback.ts';
import { freezeReply, silence } from '../reply/reply.ts';
import { isInPlayout } from '../reply/reply-phase.ts';
import { CONSTANTS, sttGraceMs } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';
import { noteInterruption } from './acknowledge.ts';
import {
  askModel,
  awaitVerdict,
  isForOthers,
  isSoft,
  mayBeForOthers,
  stopAsking,
} from './addressee.ts';
import { learnCutIn } from './cut-ins.ts';
import { speechContentOf } from './speech-content.ts';
import { mayBeBackchannel, passOver } from './unlisted-backchannel.ts';
import { turnText } from './user-turn.ts';

const speaking = (state: CallState) =>
  state.assistant.reply?.phase.name === 'heard' && !state.assistant.reply.isProtected;

/** B2: the caller's voice starts during a reply; if it lasts, the reply is held. */
export function voiceOverReply(state: CallState, effects: Effects, onsetAt: number): void {
  if (
    !speaking(state) ||
    wordsNeeded(state, effects) > 0 ||
    state.user.turn?.overlap === 'finishing'
  )
    return;
  effects.disarm('resume', 'addressee');
  const { callType, stopSpeaking } = state.settings;
  // B11: a browser's echo canceller needs a second of the assistant's voice before it works.
  const trustedAt =
    callType === 'web' ? (state.assistant.firstAudioAt ?? effects.now) + CONSTANTS.echoWarmUpMs : 0;
  effects.arm('hold', Math.max(effects.now, onsetAt + stopSpeaking.voiceMs, trustedAt));
}

/** B2: the voice has lasted. */
export function decideHold(state: CallState, effects: Effects): void {
  if (!speaking(state) || !state.user.voiced) return;
  if (turnText(state) !== '' && speechContentOf(state).content === 'none') return;
  holdReply(effects);
}

function holdReply(effects: Effects): void {
  effects.emit({ type: 'play.hold' });
  effects.raise('internal.hold');
}

/** B1, B3, B8, B16: decides what the caller's words do to the reply. */
export function wordsOverReply(state: CallState, effects: Effects): void {
  if (!speaking(state) || (state.user.turn?.greeted && !state.user.voiced)) return;
  const needed = wordsNeeded(state, effects);
  const { content, words } = speechContentOf(state);
  const doubtful = isDoubtful(state, effects);
  const { turn } = state.user;
  const counts = turn?.overlap !== 'finishing' && words >= Math.max(1, needed);
  if (isForOthers(state)) return;
  const takes = takesFloor(state);
  if (takes || (counts && content === 'sure' && !doubtful)) {
    if (turn && (isSoft(turn) || (!takes && mayBeForOthers(state, effects)))) {
      askModel(state, effects, turn);
      if (effects.chart.assistant === 'speaking') holdReply(effects);
      return;
    }
    continueEarlyTurn(state);
    effects.raise('internal.interrupt');
  } else if (effects.chart.assistant === 'held') {
    if (turn?.addressee.name === 'asked') {
      stopAsking(effects, turn);
      if (!state.user.voiced) armResume(state, effects, turn.speechEndAt);
    }
    if (content === 'none' && !state.user.voiced && allFinal(state))
      effects.arm('resume', effects.now);
  } else if (counts && needed === 0 && effects.chart.assistant === 'speaking') {
    // B3: uncertain words only hold the reply for a moment.
    holdReply(effects);
    if (!state.user.voiced) armResume(state, effects, effects.now);
  }
}

// B8: a number of words that the assistant's owner has set decides by itself.
const isDoubtful = (state: CallState, effects: Effects) =>
  state.settings.stopSpeaking.numberOfWords === 0 && mayBeBackchannel(state, effects);

const allFinal = (state: CallState) =>
  (state.user.turn?.segments ?? []).every(({ final }) => final);

// B1: unless the words may become a backchannel ("no" may become "no problem").
function takesFloor(state: CallState): boolean {
  const text = turnText(state);
  if (!beginsWithStopPhrase(text, vocabularyOf(state.settings).language)) return false;
  const words = vocabularyOf(state.settings).language.fillers.remove(wordsOf(text));
  return allFinal(state) || !vocabularyOf(state.settings).language.backchannels.mayCover(words);
}

/** B8, B12: the number of words that interrupt; 0 if voice alone may hold the reply. */
function wordsNeeded(state: CallState, effects: Effects): number {
  const { numberOfWords } = state.settings.stopSpeaking;
  return effects.now < state.user.noisyUntil ? Math.max(1, numberOfWords) : numberOfWords;
}

/** B14: a caller who speaks from the first moment of the answer had not finished, so the same turn goes on. */
function continueEarlyTurn(state: CallState): void {
  const { turn, committed } = state.user;
  const { reply } = state.assistant;
  if (!turn || !committed || reply?.kind !== 'answer' || reply.phase.name !== 'heard') return;
  if (turn.openedAt >= reply.phase.startedAt + CONSTANTS.earlyWordsMs) return;
  turn.continues = committed;
  learnCutIn(state);
}

/** B5: the voice has stopped, so a held reply may soon resume. */
export function voiceLeftReply(state: CallState, effects: Effects, speechEndAt: number): void {
  if (effects.chart.assistant !== 'held') return;
  const { turn } = state.user;
  if (turn?.addressee.name === 'asked') awaitVerdict(effects, turn);
  else armResume(state, effects, speechEndAt);
}

function armResume(state: CallState, effects: Effects, speechEndAt: number): void {
  const grace = sttGraceMs(state.settings.sttP99Ms) - (effects.now - speechEndAt);
  effects.armIn('resume', Math.max(CONSTANTS.resumeMinMs, grace));
}

/** B6, B12: resumes after a false hold; after many of them, only words hold a reply for a while. */
export function resumeReply(state: CallState, effects: Effects): void {
  const recent = state.user.falseHolds.filter((at) => effects.now - at < CONSTANTS.noisyWindowMs);
  state.user.falseHolds = [...recent, effects.now];
  if (state.user.falseHolds.length >= CONSTANTS.noisyMinHolds) {
    state.user.noisyUntil = effects.now + CONSTANTS.noisyForMs;
    state.user.falseHolds = [];
    effects.emit({ type: 'log', note: 'noisy line' });
  }
  const { turn } = state.user;
  if (turn && isDoubtful(state, effects)) passOver(state, effects, turn);
  releaseReply(state, effects);
}

/** B6: resumes the reply from the held word. */
export function releaseReply(state: CallState, effects: Effects): void {
  effects.emit({ type: 'play.release' });
  resumePlayback(state, effects);
}

/** K4: ends a hold that has reached its limit. */
export function endHold(state: CallState, effects: Effects): void {
  effects.raise(state.user.voiced ? 'internal.interrupt' : 'internal.release');
}

/** B10: the caller takes the floor and the reply is cut off. */
export function interruptReply(state: CallState, effects: Effects): void {
  const { reply } = state.assistant;
  if (!reply) return;
  silence(state, effects, reply);
  // W1: a welcome that was cut off is no answer.
  if (state.user.turn) state.user.turn.greeted = false;
  // E2: a line that was to end the call and was cut off does not end it.
  if (state.ending?.reason === 'tool-ended-call') state.ending = undefined;
}

/** H1-H5: records how much of the interrupted reply was heard. */
export function settleCut(
  state: CallState,
  effects: Effects,
  cleared?: { readonly uttId: number; readonly playedMs: number },
): void {
  const { reply } = state.assistant;
  if (!reply) return;
  if (cleared) {
    const utterance = reply.utterances.find(({ uttId }) => uttId === cleared.uttId);
    // The far end's own count is better than an estimate. It is behind an earlier one where a word that a hold had cut
    // in two was said again from its beginning and cut once more.
    if (utterance && isInPlayout(utterance)) {
      utterance.playedMs = Math.max(cleared.playedMs, utterance.countedMs);
      playProgressed(state, effects, cleared.uttId, cleared.playedMs);
    }
  }
  noteInterruption(state, reply);
  freezeReply(state, effects, reply, true);
  effects.raise('internal.replyOver');
}
