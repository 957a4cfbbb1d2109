import type { Failure } from '../../contract/call-journal.ts';
import type { Effects } from '../machine/effects.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';
import type { Reply, ReplyKind, Utterance } from '../state/reply.ts';
import { freeBlockedTools } from '../tools/tool-gate.ts';
import { cancelRequestedTransfer } from '../transfer/transfer-leg.ts';
import { heardPartOf, showHeard } from './heard-reply.ts';
import { nextId } from './next-id.ts';
import { endWaits } from './patience.ts';
import { notePlayed } from './played-words.ts';
import { isOver, openGenId, startedAt, wasHeard } from './reply-phase.ts';

const AHEAD = 2;

const NOT_STARTED = JSON.stringify({
  error: 'not started, because the caller went on speaking; call it again if it is still wanted',
});

export interface ReplyOptions {
  readonly text?: string;
  readonly isProtected?: boolean;
  readonly notBefore?: number;
  readonly turn?: number;
}

/** Begins a reply. With a text it is complete; without one, its pieces come from the model. */
export function beginReply(
  state: CallState,
  effects: Effects,
  kind: ReplyKind,
  options: ReplyOptions = {},
): Reply {
  const reply: Reply = {
    kind,
    turn: options.turn ?? state.user.committed?.turn ?? 0,
    messageId: `a${nextId(state, 'message')}`,
    utterances: [],
    isProtected: options.isProtected ?? false,
    notBefore: options.notBefore ?? effects.now,
    putOff: 0,
    text:
      options.text === undefined
        ? { name: 'paused', genId: undefined, calls: [] }
        : { name: 'complete' },
    phase: { name: 'waiting' },
    gated: false,
    firstTextAt: undefined,
    firstAudioAt: undefined,
    steps: 0,
    retried: false,
    voiceless: false,
    fillerAfterMs: undefined,
    shown: undefined,
    recordedAt: 0,
  };
  state.assistant.reply = reply;
  effects.raise('internal.reply');
  if (options.text !== undefined) addPiece(state, effects, reply, options.text);
  return reply;
}

export function addPiece(
  state: CallState,
  effects: Effects,
  reply: Reply,
  text: string,
  { first = false, filler = false }: { readonly first?: boolean; readonly filler?: boolean } = {},
): void {
  if (text.trim() === '') return;
  const utterance = newUtterance(state, effects, text, filler);
  if (!filler) reply.firstTextAt ??= effects.now;
  if (first) reply.utterances.unshift(utterance);
  else reply.utterances.push(utterance);
  pump(state, effects);
}

export const newUtterance = (
  state: CallState,
  effects: Effects,
  text: string,
  filler = false,
): Utterance => ({
  uttId: nextId(state, 'utt'),
  text,
  filler,
  words: [],
  totalMs: undefined,
  playedMs: 0,
  countedMs: 0,
  markedAt: effects.now,
  resumedMs: 0,
  stage: 'waiting',
  brokeOff: false,
});

export function voiceUtterance(effects: Effects, utterance: Utterance, cache: boolean): void {
  utterance.stage = 'voicing';
  effects.emit({ type: 'tts.start', uttId: utterance.uttId, text: utterance.text, cache });
}

/** Starts synthesis (two pieces ahead) and playout, in order. */
export function pump(state: CallState, effects: Effects): void {
  const { reply } = state.assistant;
  if (!reply || reply.phase.name === 'cut') return;
  let ahead = 0;
  for (const utterance of reply.utterances) {
    if (utterance.stage === 'done' || utterance.stage === 'failed') continue;
    if (ahead >= AHEAD + 1) break;
    ahead++;
    if (utterance.stage === 'waiting') voiceUtterance(effects, utterance, reply.kind !== 'answer');
  }
  if (mayPlay(state, effects, reply)) playReady(effects, reply);
}

function mayPlay(state: CallState, effects: Effects, reply: Reply): boolean {
  if (state.assistant.muted || (reply.gated && !wasHeard(reply))) return false;
  if (effects.now >= reply.notBefore) return true;
  effects.arm('audioFloor', reply.notBefore);
  return false;
}

function playReady(effects: Effects, reply: Reply): void {
  for (const utterance of reply.utterances) {
    if (utterance.stage === 'waiting' || utterance.stage === 'voicing') return;
    if (utterance.stage !== 'ready') continue;
    utterance.stage = 'sent';
    effects.emit({ type: 'play.start', uttId: utterance.uttId });
    expectProgress(effects);
  }
}

/** K1: playback must advance while the assistant speaks. */
export function expectProgress(effects: Effects): void {
  if (effects.chart.assistant === 'speaking') effects.armIn('stall', CONSTANTS.stallMs);
}

export function findUtterance(state: CallState, uttId: number): Utterance | undefined {
  const ahead = state.assistant.draft?.utterance;
  if (ahead?.uttId === uttId) return ahead;
  return state.assistant.reply?.utterances.find((utterance) => utterance.uttId === uttId);
}

export function voiceGaveAudio(state: CallState, effects: Effects, uttId: number): void {
  const utterance = findUtterance(state, uttId);
  if (utterance?.stage !== 'voicing') return;
  utterance.stage = 'ready';
  const owner =
    state.assistant.draft?.utterance === utterance ? state.assistant.draft : state.assistant.reply;
  if (owner) owner.firstAudioAt ??= effects.now;
  pump(state, effects);
}

/** E6: no voice could speak a piece, which therefore counts as not said. */
export function voiceFailed(
  state: CallState,
  effects: Effects,
  uttId: number,
  error: Failure,
): void {
  const utterance = findUtterance(state, uttId);
  if (!utterance) return;
  if (state.assistant.draft?.utterance === utterance) {
    // It is synthesised again when the draft becomes the reply.
    state.assistant.draft.utterance = undefined;
    return;
  }
  if (utterance.stage === 'sent' || utterance.stage === 'playing') {
    effects.emit({ type: 'log', note: 'the voice broke off', data: { uttId, ...error } });
    utterance.brokeOff = true;
    countVoiceFailure(state, effects, error);
    return;
  }
  utterance.stage = 'failed';
  if (countVoiceFailure(state, effects, error)) {
    effects.raise('internal.finish');
    return;
  }
  freeBlockedTools(state, effects);
  pump(state, effects);
  settleReply(state, effects);
}

/** E6: reports and counts a failure. Returns whether these are too many in a row: the call then ends with its reply. */
export function countVoiceFailure(state: CallState, effects: Effects, error: Failure): boolean {
  // A turn counts once, however many of its pieces failed.
  if (state.assistant.reply && !state.assistant.reply.voiceless) state.assistant.ttsFailures++;
  if (state.assistant.reply) state.assistant.reply.voiceless = true;
  effects.emit({ type: 'webhook', kind: 'error', data: { ...error, type: 'tts' } });
  const { maxConsecutiveTtsFailures: most } = state.settings;
  if (most === 0 || state.assistant.ttsFailures < most) return false;
  state.ending = { reason: 'voice-failed', trigger: 'assistant', failure: error };
  return true;
}

export function normalise(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}']+/gu, ' ')
    .trim();
}

/** Ends a reply whose text is complete and has been played. */
export function settleReply(state: CallState, effects: Effects): void {
  const { reply } = state.assistant;
  if (reply?.text.name !== 'complete' || reply.phase.name === 'cut') return;
  if (!reply.utterances.every(isOver)) return;
  freezeReply(state, effects, reply, false);
  effects.raise('internal.replyOver');
}

/** H4-H6: ends the reply; its message keeps only what was heard. */
export function freezeReply(state: CallState, effects: Effects, reply: Reply, cut: boolean): void {
  const heard = heardPartOf(reply);
  state.assistant.reply = undefined;
  endWaits(state, effects);
  effects.disarm('ack', 'ungate');
  if (heard === '') return;
  showHeard(state, effects, true, reply, heard);
  state.entries.push({
    role: 'assistant',
    messageId: reply.messageId,
    text: heard,
    at: startedAt(reply) ?? effects.now,
    cut,
  });
  state.assistant.lastHeard = heard;
}

/** Cancels the rest of a reply: generation, synthesis, playback and tool calls that have not started. */
export function silence(state: CallState, effects: Effects, reply: Reply): void {
  cancelRequestedTransfer(state);
  const genId = openGenId(reply);
  if (genId !== undefined) effects.emit({ type: 'llm.cancel', genId });
  let sent = false;
  for (const utterance of reply.utterances) {
    if (utterance.stage === 'playing') notePlayed(state, effects, utterance);
    if (
      utterance.stage === 'playing' &&
      !utterance.brokeOff &&
      effects.chart.assistant === 'speaking' &&
      effects.chart.media === 'connected'
    ) {
      // H1: estimates the position by the last mark and the time since, until the far end reports it.
      const playedMs = utterance.playedMs + effects.now - utterance.markedAt;
      utterance.playedMs = Math.min(playedMs, utterance.totalMs ?? playedMs);
      utterance.markedAt = effects.now;
    }
    if (utterance.stage === 'sent' || utterance.stage === 'playing') sent = true;
    if (
      utterance.totalMs === undefined &&
      utterance.stage !== 'waiting' &&
      utterance.stage !== 'failed'
    ) {
      const { uttId, brokeOff } = utterance;
      effects.emit({ type: 'tts.cancel', uttId, ...(brokeOff && { stalled: true }) });
    }
  }
  if (sent) effects.emit({ type: 'play.clear' });
  withdraw(state, effects, reply);
  reply.phase = { name: 'cut', startedAt: startedAt(reply) };
}

/** T1, C4, C5: cancels the reply's tool calls that have not started, and its step in the workflow. */
export function withdraw(state: CallState, effects: Effects, reply: Reply): void {
  dropUnstarted(state, effects);
  takeBackStep(state, effects, reply);
}

function dropUnstarted(state: CallState, effects: Effects): void {
  const { awaited, async } = state.tools;
  for (const { toolCallId, invoked } of [...awaited, ...async]) {
    if (!invoked) state.entries.push({ role: 'tool', toolCallId, content: NOT_STARTED });
  }
  state.tools.awaited = awaited.filter(({ invoked }) => invoked);
  state.tools.async = async.filter(({ invoked }) => invoked);
  effects.disarm('toolGate');
}

// The caller has not heard of the step, and their words may lead to another one.
function takeBackStep(state: CallState, effects: Effects, reply: Reply): void {
  const { progress } = state;
  const undo = progress?.undo;
  if (!progress || undo?.replyId !== reply.messageId || wasHeard(reply)) return;
  const { node, variables } = undo;
  effects.emit({
    type: 'workflow.step',
    from: progress.node.id,
    to: node.id,
    by: 'taken-back',
    variables: { ...variables },
  });
  progress.node = node;
  progress.variables = variables;
  if (state.ending?.reason === 'workflow-ended') state.ending = undefined;
}
