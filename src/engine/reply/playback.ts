import type { Effects } from '../machine/effects.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';
import type { Reply } from '../state/reply.ts';
import { freeBlockedTools } from '../tools/tool-gate.ts';
import { showHeard } from './heard-reply.ts';
import { endPatience } from './patience.ts';
import { notePlayed } from './played-words.ts';
import {
  countVoiceFailure,
  expectProgress,
  findUtterance,
  normalise,
  pump,
  settleReply,
} from './reply.ts';
import { isInPlayout, isOver, startedAt, wasHeard } from './reply-phase.ts';

export function playStarted(state: CallState, effects: Effects, uttId: number): void {
  const utterance = findUtterance(state, uttId);
  const { reply } = state.assistant;
  if (!utterance || !reply || reply.phase.name === 'cut') return;
  utterance.stage = 'playing';
  utterance.markedAt = effects.now;
  state.assistant.firstAudioAt ??= effects.now;
  if (!utterance.filler) {
    effects.disarm('llmFirst');
    endPatience(state, effects);
  }
  if (reply.phase.name !== 'waiting') return;
  reply.phase = { name: 'heard', startedAt: effects.now };
  reportTurn(state, effects, reply);
}

/** Reports the latency of each stage between the caller's turn and the answer. */
function reportTurn(state: CallState, effects: Effects, reply: Reply): void {
  const { committed } = state.user;
  if (reply.kind !== 'answer' || !committed || committed.turn !== reply.turn) return;
  const from = committed.speechEndAt;
  const since = (at: number | undefined) => (at === undefined ? undefined : Math.max(0, at - from));
  const metrics = {
    turn: reply.turn,
    endpointMs: since(committed.at),
    recogniserMs: since(committed.textAt),
    modelMs: since(reply.firstTextAt),
    voiceMs: since(reply.firstAudioAt),
    totalMs: since(startedAt(reply)),
  };
  effects.emit({
    type: 'turn.metrics',
    metrics: Object.fromEntries(
      Object.entries(metrics).filter(([, value]) => value !== undefined),
    ) as typeof metrics & { turn: number },
  });
}

/** The far end has played this much of an utterance. */
export function playProgressed(
  state: CallState,
  effects: Effects,
  uttId: number,
  playedMs: number,
): void {
  const utterance = findUtterance(state, uttId);
  if (!utterance) return;
  utterance.playedMs = Math.max(utterance.playedMs, playedMs);
  utterance.countedMs = Math.max(utterance.countedMs, playedMs);
  utterance.markedAt = effects.now;
  expectProgress(effects);
  showHeard(state, effects, false);
}

/** Playback resumes at its last position, so the time of the pause must not count. */
export function resumePlayback(state: CallState, effects: Effects): void {
  for (const utterance of state.assistant.reply?.utterances ?? []) {
    if (utterance.stage !== 'playing') continue;
    // C9: what sounded before the pause keeps its time.
    notePlayed(state, effects, utterance);
    utterance.markedAt = effects.now;
    utterance.resumedMs = utterance.playedMs;
  }
}

export function playFinished(state: CallState, effects: Effects, uttId: number): void {
  const utterance = findUtterance(state, uttId);
  const { reply } = state.assistant;
  if (!utterance || !reply || reply.phase.name === 'cut') return;
  const heard = utterance.stage === 'playing' && !utterance.brokeOff;
  utterance.stage = heard ? 'done' : 'failed';
  if (heard && !reply.voiceless) state.assistant.ttsFailures = 0;
  utterance.playedMs = utterance.totalMs ?? Math.max(utterance.playedMs, 1);
  utterance.markedAt = effects.now;
  if (heard) notePlayed(state, effects, utterance);
  showHeard(state, effects, false);
  if (heard && endsCall(state, utterance.text)) {
    state.ending ??= { reason: 'assistant-said-end-phrase', trigger: 'assistant' };
  }
  pump(state, effects);
  if (reply.utterances.some(isInPlayout)) effects.armIn('stall', CONSTANTS.stallMs);
  else effects.disarm('stall');
  freeBlockedTools(state, effects);
  settleReply(state, effects);
}

/** K1, E6: nothing has been played for a while. If the voice has not finished either, the failure is its own. */
export function playbackStalled(state: CallState, effects: Effects): void {
  // R1: after a take-over nothing plays until a voice speaks again.
  if (!state.assistant.reply?.utterances.some(isInPlayout)) return;
  const stalled = state.assistant.reply?.utterances.find(
    ({ stage, totalMs }) => stage === 'playing' && totalMs === undefined,
  );
  if (stalled) {
    stalled.brokeOff = true;
    const error = { code: 'voice_stalled', message: 'the voice stopped in the middle of a text' };
    countVoiceFailure(state, effects, error);
  } else {
    const error = { code: 'playback_stalled', message: 'playback does not advance' };
    effects.emit({ type: 'webhook', kind: 'error', data: { type: 'playback', ...error } });
  }
  effects.raise('internal.interrupt');
}

/** How long the reply will still play; infinite while its length is unknown. */
export function remainingMs(effects: Effects, reply: Reply): number {
  if (!wasHeard(reply) || reply.text.name !== 'complete') return Number.POSITIVE_INFINITY;
  return reply.utterances.reduce((sum, utterance) => {
    const { stage, totalMs, playedMs, markedAt } = utterance;
    if (isOver(utterance)) return sum;
    if (totalMs === undefined) return Number.POSITIVE_INFINITY;
    return sum + totalMs - playedMs - (stage === 'playing' ? effects.now - markedAt : 0);
  }, 0);
}

/** E2: whether the heard text contains a phrase that ends the call, as whole words. */
function endsCall(state: CallState, heard: string): boolean {
  const { endCall } = state.settings;
  if (!endCall.enabled) return false;
  const text = ` ${normalise(heard)} `;
  return endCall.phrases.some((phrase) => text.includes(` ${normalise(phrase)} `));
}
