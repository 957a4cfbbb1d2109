import { beginsWithStopPhrase, wordsOf } from '../language/words.ts';
import { CONSTANTS, sttGraceMs } from '../machine/constants.ts';
import type { Mind } from '../machine/mind.ts';
import { playProgressed, playsOn } from '../reply/playback.ts';
import { freezeReply, isOut, silence } from '../reply/reply.ts';
import { noteInterruption } from './acknowledge.ts';
import { heedOf } from './speech-content.ts';
import { turnText } from './user-turn.ts';

const speaking = (mind: Mind) =>
  mind.reply?.startedAt !== undefined &&
  !mind.reply.isProtected &&
  mind.reply.interruptedAt === undefined;

/** B2: voice over the reply; a voice that lasts holds it. */
export function voiceOverReply(mind: Mind, onsetAt: number): void {
  if (!speaking(mind) || wordsNeeded(mind) > 0 || mind.turn?.atEnd) return;
  mind.disarm('resume');
  const { callType, stopSpeaking } = mind.settings;
  // B11: the echo canceller of a browser needs a second of our voice before it can be trusted.
  const trustedAt = callType === 'web' ? (mind.firstAudioAt ?? mind.now) + CONSTANTS.echoWarmUp : 0;
  mind.arm('hold', Math.max(mind.now, onsetAt + stopSpeaking.voiceMs, trustedAt));
}

/** B2: the voice has lasted. */
export function decideHold(mind: Mind): void {
  if (!speaking(mind) || !mind.voiced) return;
  if (turnText(mind) !== '' && heedOf(mind).heed === 'none') return;
  holdReply(mind);
}

function holdReply(mind: Mind): void {
  mind.emit({ type: 'play.hold' });
  mind.disarm('stall', 'hold');
  mind.armIn('heldMax', CONSTANTS.heldMax);
  if (mind.sttDown || mind.settings.sttP99Ms > 1000) {
    mind.armIn('voiceOnly', CONSTANTS.holdConfirm);
  }
  mind.raise('mind.hold');
}

/** B1, B3, B8: what the caller says over the reply. */
export function wordsOverReply(mind: Mind): void {
  if (!speaking(mind) || (mind.turn?.greeted && !mind.voiced)) return;
  const needed = wordsNeeded(mind);
  const { heed, words } = heedOf(mind);
  const counts = !mind.turn?.atEnd && words >= Math.max(1, needed);
  if (takesFloor(mind) || (counts && heed === 'sure')) {
    continueEarlyTurn(mind);
    mind.raise('mind.interrupt');
  } else if (mind.assistant === 'held') {
    if (heed === 'none' && !mind.voiced && allFinal(mind)) mind.arm('resume', mind.now);
  } else if (counts && needed === 0 && mind.assistant === 'speaking') {
    // B3: words that may yet be taken back cost nothing but a moment of silence.
    holdReply(mind);
    if (!mind.voiced) armResume(mind, mind.now);
  }
}

const allFinal = (mind: Mind) =>
  [...(mind.turn?.segments.values() ?? [])].every(({ final }) => final);

// B1: unless the words are on their way to a backchannel ("no" to "no problem").
function takesFloor(mind: Mind): boolean {
  const text = turnText(mind);
  if (!beginsWithStopPhrase(text, mind.language)) return false;
  const words = mind.language.fillers.remove(wordsOf(text));
  return allFinal(mind) || !mind.language.backchannels.mayCover(words);
}

/** B8, B12: words that interrupt; 0 where voice alone may hold. */
function wordsNeeded(mind: Mind): number {
  const { numberOfWords } = mind.settings.stopSpeaking;
  return mind.now < mind.noisyUntil ? Math.max(1, numberOfWords) : numberOfWords;
}

/** B14: who speaks from the answer's first moment on was not done; this goes on with the same turn. */
function continueEarlyTurn(mind: Mind): void {
  const { turn, reply, committed } = mind;
  if (!turn || !committed || reply?.kind !== 'answer' || reply.startedAt === undefined) return;
  if (turn.openedAt >= reply.startedAt + CONSTANTS.earlyWords) return;
  turn.continues = committed;
}

/** B5: the voice over a held reply has stopped without a word. */
export function voiceLeftReply(mind: Mind, speechEndAt: number): void {
  mind.disarm('hold', 'voiceOnly');
  if (mind.assistant === 'held') armResume(mind, speechEndAt);
}

function armResume(mind: Mind, speechEndAt: number): void {
  const grace = sttGraceMs(mind.settings.sttP99Ms) - (mind.now - speechEndAt);
  mind.armIn('resume', Math.max(CONSTANTS.resumeMin, grace));
}

/** B6, B12: a false hold; a line that makes many is listened to by its words for a while. */
export function resumeReply(mind: Mind): void {
  const recent = mind.falseHolds.filter((at) => mind.now - at < CONSTANTS.noisyWindow);
  mind.falseHolds = [...recent, mind.now];
  if (mind.falseHolds.length >= CONSTANTS.noisyHolds) {
    mind.noisyUntil = mind.now + CONSTANTS.noisyFor;
    mind.falseHolds = [];
    mind.emit({ type: 'log', note: 'noisy line' });
  }
  releaseReply(mind);
}

/** B6: it was nothing; the reply goes on from the held word. */
export function releaseReply(mind: Mind): void {
  mind.disarm('heldMax', 'voiceOnly', 'resume', 'hold');
  mind.emit({ type: 'play.release' });
  playsOn(mind);
  mind.armIn('stall', CONSTANTS.stall);
}

/** K4: a held reply does not wait for ever. */
export function endHold(mind: Mind): void {
  mind.raise(mind.voiced ? 'mind.interrupt' : 'mind.release');
}

/** B10: the floor is the caller's. */
export function interruptReply(mind: Mind): void {
  const { reply } = mind;
  if (!reply) return;
  mind.disarm('hold', 'voiceOnly', 'resume', 'heldMax', 'stall', 'toolDelay');
  silence(mind, reply);
  // E2: words that were to end the call and were cut short do not end it.
  if (mind.ending?.reason === 'tool-ended-call') mind.ending = undefined;
  mind.armIn('cleared', CONSTANTS.clearTimeout);
}

/** H1-H5: what was heard of the interrupted reply is now known. */
export function settleCut(
  mind: Mind,
  cleared?: { readonly uttId: number; readonly playedMs: number },
): void {
  const { reply } = mind;
  mind.disarm('cleared');
  if (!reply) return;
  if (cleared) {
    const utterance = reply.utterances.find(({ uttId }) => uttId === cleared.uttId);
    // The far end's own count wins over marks that were estimates.
    if (utterance && isOut(mind, cleared.uttId)) {
      utterance.playedMs = cleared.playedMs;
      playProgressed(mind, cleared.uttId, cleared.playedMs);
    }
  }
  noteInterruption(mind, reply);
  freezeReply(mind, reply, true);
  mind.raise('mind.replyOver');
}
