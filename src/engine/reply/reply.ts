import type { WordTiming } from '../../ports/tts.ts';
import { CONSTANTS } from '../machine/constants.ts';
import type { Failure } from '../machine/events.ts';
import type { Mind } from '../machine/mind.ts';
import type { AskedTool } from '../tools/tool-call.ts';
import { cancelDueTransfer } from '../transfer/transfer-leg.ts';
import { heardOf, showHeard } from './heard-reply.ts';
import { notePlayed } from './played-words.ts';
import { withdraw } from './withdraw.ts';

export type ReplyKind =
  | 'welcome'
  | 'answer'
  | 'say'
  | 'idle'
  | 'ack'
  | 'stock'
  | 'result'
  | 'transfer'
  | 'farewell';

export interface Utterance {
  readonly uttId: number;
  readonly text: string;
  /** Said to bridge a wait: no part of the answer. */
  readonly filler: boolean;
  words: readonly WordTiming[];
  totalMs: number | undefined;
  playedMs: number;
  /** When its position was last known. */
  markedAt: number;
  state: 'waiting' | 'voicing' | 'ready' | 'sent' | 'playing' | 'done' | 'failed';
}

/** One turn of the assistant: its pieces, how far they were heard, and what holds it back. */
export interface Reply {
  readonly kind: ReplyKind;
  readonly turn: number;
  readonly messageId: string;
  readonly utterances: Utterance[];
  /** Nothing of it can be interrupted. */
  readonly isProtected: boolean;
  /** Audio may not start before. */
  readonly notBefore: number;
  genId: number | undefined;
  /** The model is writing; between two steps it is not. */
  generating: boolean;
  /** E6: a piece of it found no voice. */
  voiceless: boolean;
  /** No more pieces will come. */
  textDone: boolean;
  /** Sound from the caller holds back a reply of which nothing was heard yet (C5). */
  gated: boolean;
  startedAt: number | undefined;
  firstTextAt: number | undefined;
  firstAudioAt: number | undefined;
  /** Model steps taken for it. */
  steps: number;
  retried: boolean;
  interruptedAt: number | undefined;
  /** What the transcript says of it so far. */
  shown: string | undefined;
  /** When the record was last brought up to that. */
  recordedAt: number;
  /** Asked for by the generation that runs. */
  toolCalls: AskedTool[];
}

const AHEAD = 2;

export interface ReplyOptions {
  readonly text?: string;
  readonly isProtected?: boolean;
  readonly notBefore?: number;
  readonly turn?: number;
}

/** Opens a reply. With a text it is complete; without one, pieces come from the model. */
export function beginReply(mind: Mind, kind: ReplyKind, options: ReplyOptions = {}): Reply {
  const reply: Reply = {
    kind,
    turn: options.turn ?? mind.committed?.turn ?? 0,
    messageId: `a${mind.next('message')}`,
    utterances: [],
    isProtected: options.isProtected ?? false,
    notBefore: options.notBefore ?? mind.now,
    genId: undefined,
    generating: false,
    voiceless: false,
    textDone: options.text !== undefined,
    gated: false,
    startedAt: undefined,
    firstTextAt: undefined,
    firstAudioAt: undefined,
    steps: 0,
    retried: false,
    interruptedAt: undefined,
    shown: undefined,
    recordedAt: 0,
    toolCalls: [],
  };
  mind.reply = reply;
  mind.raise('mind.reply');
  if (options.text !== undefined) addPiece(mind, reply, options.text);
  return reply;
}

export function addPiece(
  mind: Mind,
  reply: Reply,
  text: string,
  { first = false, filler = false }: { readonly first?: boolean; readonly filler?: boolean } = {},
): void {
  if (text.trim() === '') return;
  const utterance = newUtterance(mind, text, filler);
  if (!filler) reply.firstTextAt ??= mind.now;
  if (first) reply.utterances.unshift(utterance);
  else reply.utterances.push(utterance);
  pump(mind);
}

export const newUtterance = (mind: Mind, text: string, filler = false): Utterance => ({
  uttId: mind.next('utt'),
  text,
  filler,
  words: [],
  totalMs: undefined,
  playedMs: 0,
  markedAt: mind.now,
  state: 'waiting',
});

export function voiceUtterance(mind: Mind, utterance: Utterance, cache: boolean): void {
  utterance.state = 'voicing';
  mind.emit({ type: 'tts.start', uttId: utterance.uttId, text: utterance.text, cache });
}

/** Moves every piece as far as it may go: into the voice, two at most ahead of the ear, and out in order. */
export function pump(mind: Mind): void {
  const { reply } = mind;
  if (!reply || reply.interruptedAt !== undefined) return;
  let ahead = 0;
  for (const utterance of reply.utterances) {
    if (utterance.state === 'done' || utterance.state === 'failed') continue;
    if (ahead >= AHEAD + 1) break;
    ahead++;
    if (utterance.state === 'waiting') voiceUtterance(mind, utterance, reply.kind !== 'answer');
  }
  if (mayPlay(mind, reply)) playReady(mind, reply);
}

function mayPlay(mind: Mind, reply: Reply): boolean {
  if (mind.assistantMuted || (reply.gated && reply.startedAt === undefined)) return false;
  if (mind.now >= reply.notBefore) return true;
  mind.arm('audioFloor', reply.notBefore);
  return false;
}

function playReady(mind: Mind, reply: Reply): void {
  for (const utterance of reply.utterances) {
    if (utterance.state === 'waiting' || utterance.state === 'voicing') return;
    if (utterance.state !== 'ready') continue;
    utterance.state = 'sent';
    mind.emit({ type: 'play.start', uttId: utterance.uttId });
    mind.armIn('stall', CONSTANTS.stall);
  }
}

export function findUtterance(mind: Mind, uttId: number): Utterance | undefined {
  const ahead = mind.draft?.utterance;
  if (ahead?.uttId === uttId) return ahead;
  return mind.reply?.utterances.find((utterance) => utterance.uttId === uttId);
}

/** Playout has it, and it has not been heard to its end. */
export function isOut(mind: Mind, uttId: number): boolean {
  const state = findUtterance(mind, uttId)?.state;
  return state === 'sent' || state === 'playing';
}

export function voiceGaveAudio(mind: Mind, uttId: number): void {
  const utterance = findUtterance(mind, uttId);
  if (utterance?.state !== 'voicing') return;
  utterance.state = 'ready';
  const owner = mind.draft?.utterance === utterance ? mind.draft : mind.reply;
  if (owner) owner.firstAudioAt ??= mind.now;
  pump(mind);
}

/** E6: a piece for which no voice had audio is not part of what was said. */
export function voiceFailed(mind: Mind, uttId: number, error: Failure): void {
  const utterance = findUtterance(mind, uttId);
  if (!utterance) return;
  if (mind.draft?.utterance === utterance) {
    // Its voice is asked for again when the draft is wanted.
    mind.draft.utterance = undefined;
    return;
  }
  if (utterance.state === 'sent' || utterance.state === 'playing') {
    mind.emit({ type: 'log', note: 'the voice broke off', data: { uttId, ...error } });
    return;
  }
  utterance.state = 'failed';
  // A turn that had no voice counts once, in however many pieces.
  if (mind.reply && !mind.reply.voiceless) mind.ttsFailures++;
  if (mind.reply) mind.reply.voiceless = true;
  mind.emit({ type: 'webhook', kind: 'error', data: { ...error, type: 'tts' } });
  const { maxConsecutiveTtsFailures: most } = mind.settings;
  if (most > 0 && mind.ttsFailures >= most) {
    mind.ending = { reason: 'voice-failed', trigger: 'assistant', failure: error };
    mind.raise('mind.finish');
    return;
  }
  pump(mind);
  settleReply(mind);
}

export function normalise(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}']+/gu, ' ')
    .trim();
}

/** A reply is over when its text is complete and nothing of it is left to be heard. */
export function settleReply(mind: Mind): void {
  const { reply } = mind;
  if (!reply?.textDone || reply.interruptedAt !== undefined) return;
  if (reply.utterances.some(({ state }) => state !== 'done' && state !== 'failed')) return;
  freezeReply(mind, reply, false);
  mind.raise('mind.replyOver');
}

/** H4-H6: from now on the message says what was heard, and nothing else. */
export function freezeReply(mind: Mind, reply: Reply, cut: boolean): void {
  const heard = heardOf(reply);
  mind.reply = undefined;
  mind.disarm(
    'audioFloor',
    'toolHold',
    'ack',
    'stall',
    'llmFirst',
    'hang',
    'filler',
    'giveUp',
    'ungate',
    'hold',
    'voiceOnly',
    'resume',
    'heldMax',
  );
  if (heard === '') return;
  showHeard(mind, true, reply, heard);
  mind.entries.push({
    role: 'assistant',
    messageId: reply.messageId,
    text: heard,
    at: reply.startedAt ?? mind.now,
    cut,
  });
  mind.lastHeard = heard;
}

/** Takes back whatever of a reply was not heard: model, voice and buffer. */
export function silence(mind: Mind, reply: Reply): void {
  cancelDueTransfer(mind);
  if (reply.genId !== undefined && !reply.textDone) {
    mind.emit({ type: 'llm.cancel', genId: reply.genId });
  }
  let sent = false;
  for (const utterance of reply.utterances) {
    if (utterance.state === 'playing') notePlayed(mind, utterance);
    if (utterance.state === 'playing' && mind.assistant === 'speaking' && !mind.mediaLost) {
      // H1: until the far end says how far it came, its last mark and the time since stand for it.
      const playedMs = utterance.playedMs + mind.now - utterance.markedAt;
      utterance.playedMs = Math.min(playedMs, utterance.totalMs ?? playedMs);
      utterance.markedAt = mind.now;
    }
    if (utterance.state === 'sent' || utterance.state === 'playing') sent = true;
    if (
      utterance.totalMs === undefined &&
      utterance.state !== 'waiting' &&
      utterance.state !== 'failed'
    ) {
      mind.emit({ type: 'tts.cancel', uttId: utterance.uttId });
    }
  }
  if (sent) mind.emit({ type: 'play.clear' });
  withdraw(mind, reply);
  reply.interruptedAt = mind.now;
}
