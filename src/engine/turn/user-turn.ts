import { contentWords } from '../language/words.ts';
import { CONSTANTS, sttGraceMs } from '../machine/constants.ts';
import type { Mind } from '../machine/mind.ts';
import { remainingMs } from '../reply/playback.ts';
import { playedWords } from '../reply/played-words.ts';
import { beginReply, pump, silence } from '../reply/reply.ts';
import { type Segment, textOf, wordsFrom, wordsTaken } from '../reply/segments.ts';
import type { Asked } from './ask-predictor.ts';
import { park } from './caller-hold.ts';
import { closeTurn } from './commit-turn.ts';
import { isEcho } from './echo.ts';
import { heedOf } from './speech-content.ts';
import {
  type CommittedTurn,
  isAfterCommit,
  isLate,
  type SttText,
  takeLateText,
} from './user-message.ts';

/** What the caller is saying now. */
export interface OpenTurn {
  readonly turn: number;
  readonly segments: Map<string, Segment>;
  readonly openedAt: number;
  speechEndAt: number;
  voicedMs: number;
  voiceStartAt: number | undefined;
  /** Last change of its text. */
  textAt: number | undefined;
  /** W1: the welcome is its answer. */
  greeted: boolean;
  /** B13: it began as the reply was about to end. */
  atEdge: boolean;
  /** B13: so near the end that the reply is let finish. */
  atEnd: boolean;
  /** B14: it goes on with this turn, to which an answer had begun. */
  continues: CommittedTurn | undefined;
  /** D2: it ends with keys, which need no pause. */
  keyed: boolean;
  /** N1: a turn-aware recogniser says that it is over. */
  judgedOver: boolean;
  /** It says that the turn may well be over, and may take it back. */
  eagerEnd: boolean;
  /** Answers begun before it was over (S1). */
  drafts: number;
  /** What was last asked of a predictor outside, and its latest answer. */
  asked: Asked | undefined;
  predicted: number | undefined;
  /** Backchannels given in it. */
  murmurs: number;
}

export const turnText = (mind: Mind) => (mind.turn ? textOf(mind.turn.segments) : '');

/** C1, C5: the caller makes a sound. */
export function voiceStarted(mind: Mind, onsetAt: number): void {
  mind.voiced = true;
  openTurn(mind, onsetAt);
  if (mind.turn) {
    mind.turn.voiceStartAt = onsetAt;
    mind.turn.judgedOver = false;
    mind.turn.eagerEnd = false;
    mind.turn.asked = undefined;
    mind.turn.predicted = undefined;
  }
  mind.disarm('endpoint', 'predict', 'noText', 'ungate', 'murmur');
  if (mind.turn && welcomeIsDue(mind)) mind.turn.greeted = true;
  // V1: a called party who speaks at length may be a machine, over which nothing is said.
  const screened = mind.screening === 'listening';
  if (screened) mind.arm('screen', onsetAt + CONSTANTS.screenAfter);
  if (mind.deadlines.has('welcome')) {
    if (screened) mind.armIn('welcome', CONSTANTS.screenMax);
    else mind.armIn('welcome', CONSTANTS.welcomePause);
  }
  mind.armIn('voiceAlive', CONSTANTS.voiceSilence);
  const { reply } = mind;
  if (!reply || reply.startedAt !== undefined) return;
  // W1: even a welcome that can't be interrupted lets a greeting finish, for a moment.
  if (reply.kind === 'welcome' && !screened) mind.armIn('ungate', CONSTANTS.welcomePause);
  if (reply.kind === 'welcome' || !reply.isProtected) reply.gated = true;
}

const welcomeIsDue = (mind: Mind) =>
  mind.deadlines.has('welcome') ||
  (mind.reply?.kind === 'welcome' && mind.reply.startedAt === undefined);

export function openTurn(mind: Mind, at: number): OpenTurn {
  // B13 counts from the onset, which voice activity notices late.
  const leftMs = mind.reply
    ? remainingMs(mind, mind.reply) + Math.max(0, mind.now - at)
    : Number.POSITIVE_INFINITY;
  mind.turn ??= {
    turn: mind.next('turn'),
    segments: new Map(),
    openedAt: at,
    speechEndAt: at,
    voicedMs: 0,
    voiceStartAt: undefined,
    textAt: undefined,
    greeted: false,
    atEdge: leftMs <= CONSTANTS.edge,
    atEnd: leftMs <= CONSTANTS.finishing,
    continues: undefined,
    keyed: false,
    judgedOver: false,
    eagerEnd: false,
    drafts: 0,
    asked: undefined,
    predicted: undefined,
    murmurs: 0,
  };
  return mind.turn;
}

/** C2, K2: a pause. */
export function voiceStopped(mind: Mind, speechEndAt: number): void {
  mind.voiced = false;
  mind.disarm('voiceAlive');
  const { turn } = mind;
  if (!turn) return;
  turn.speechEndAt = Math.max(turn.speechEndAt, speechEndAt);
  if (turn.voiceStartAt !== undefined)
    turn.voicedMs += Math.max(0, speechEndAt - turn.voiceStartAt);
  turn.voiceStartAt = undefined;
  if (mind.screening === 'listening') mind.disarm('screen');
  if (mind.screening === 'classifying') return;
  const grace = turn.greeted ? 0 : sttGraceMs(mind.settings.sttP99Ms);
  mind.arm('ungate', Math.max(mind.now, turn.speechEndAt + grace));
}

/** The recogniser says (more of) what the caller said. */
export function takeText(mind: Mind, event: SttText): void {
  if (mind.voiced) mind.armIn('voiceAlive', CONSTANTS.voiceSilence);
  if (isOwnVoice(mind, event)) return;
  const before = mind.committed?.segments.get(event.segId);
  const skipped = before ? wordsTaken(before) : 0;
  const text = wordsFrom(event.text, skipped);
  // A segment that goes on after the commit adds to the open turn, or opens it if it was said after the commit.
  const grows = before !== undefined && text !== '' && isAfterCommit(mind, event);
  const late = before ? !(mind.turn && text !== '') && !grows : !mind.turn && isLate(mind, event);
  if (late) {
    takeLateText(mind, event);
    return;
  }
  if (!mind.turn) {
    if (text.trim() === '') return;
    openTurn(mind, event.endAt);
    mind.raise('mind.turnOpened');
  }
  const turn = mind.turn as OpenTurn;
  turn.segments.set(event.segId, { text, final: event.type === 'stt.final', skipped });
  turn.textAt = mind.now;
  if (!mind.voiced) turn.speechEndAt = Math.max(turn.speechEndAt, Math.min(mind.now, event.endAt));
  mind.emit({ type: 'transcript.live', role: 'user', text: textOf(turn.segments), final: false });
  if (grows && !mind.voiced) gateUntilSettled(mind, turn);
  reopenIfUnheard(mind);
}

// A4: words say as well as a voice that the caller goes on.
function gateUntilSettled(mind: Mind, turn: OpenTurn): void {
  const { reply } = mind;
  if (!reply || reply.startedAt !== undefined || reply.isProtected) return;
  reply.gated = true;
  mind.arm('ungate', Math.max(mind.now, turn.speechEndAt + sttGraceMs(mind.settings.sttP99Ms)));
}

function isOwnVoice(mind: Mind, { text, startAt }: SttText): boolean {
  if (!isEcho({ text, startAt, played: playedWords(mind), now: mind.now })) return false;
  mind.emit({ type: 'log', note: 'echo', data: { text } });
  return true;
}

// C5: words, not mere sound, take back a reply of which nothing was heard.
function reopenIfUnheard(mind: Mind, atLeast: 'perhaps' | 'sure' = 'sure'): void {
  const { reply } = mind;
  if (!reply || reply.startedAt !== undefined || reply.isProtected) return;
  const { heed } = heedOf(mind);
  if (heed === 'none' || (heed === 'perhaps' && atLeast === 'sure')) return;
  if (mind.turn?.greeted) return;
  if (reply.kind === 'say') return;
  if (reply.kind === 'answer') learnCutIn(mind);
  cancelUnheard(mind);
}

// N7: only a pause in which nothing of ours was heard teaches anything about the caller.
function learnCutIn(mind: Mind): void {
  const { committed, turn } = mind;
  if (!committed || !turn || turn.openedAt - committed.at >= CONSTANTS.cutIn) return;
  mind.cutInMs = Math.min(CONSTANTS.cutInMax, mind.cutInMs + CONSTANTS.cutInStep);
  mind.cutInTurns = CONSTANTS.cutInTurns;
}

function cancelUnheard(mind: Mind): void {
  const { reply } = mind;
  if (!reply) return;
  silence(mind, reply);
  mind.reply = undefined;
  mind.disarm('audioFloor', 'llmFirst', 'hang', 'filler', 'giveUp', 'toolHold', 'stall');
  mind.raise('mind.replyOver');
}

/** B9, B13, B15: the caller has spoken under speech that goes on. Content waits for its end, not for ever. */
export function waitForFloor(mind: Mind): void {
  const { turn, reply } = mind;
  if (!turn || reply?.interruptedAt !== undefined) return;
  const text = turnText(mind);
  const heeded = turn.atEdge || contentWords(text, mind.language, mind.hints).length > 0;
  mind.arm(
    'unheeded',
    heeded ? Math.max(mind.now, turn.speechEndAt + CONSTANTS.unheeded) : mind.now,
  );
}

/** C7: sound without words. */
export function dropTurn(mind: Mind): void {
  const { turn } = mind;
  closeTurn(mind);
  ungate(mind);
  if (!turn) return;
  const text = textOf(turn.segments);
  if (text !== '') {
    mind.emit({ type: 'log', note: 'not heeded', data: { text } });
    mind.emit({ type: 'transcript.live', role: 'user', text: '', final: true });
    return;
  }
  mind.emit({ type: 'log', note: 'sound without words', data: { voicedMs: turn.voicedMs } });
  if (turn.voicedMs > CONSTANTS.musicAfter) park(mind);
  if (mind.parked || turn.voicedMs < CONSTANTS.realUtterance || mind.reply || mind.tools.size > 0)
    return;
  if (mind.lifecycle !== 'ongoing' || mind.misheard >= 2) return;
  mind.misheard++;
  beginReply(mind, 'stock', { text: mind.settings.lines.notUnderstood });
}

/** A4, C5: it was only a noise; the reply comes after all. */
export function ungate(mind: Mind): void {
  // Words that no final has taken back by now stand.
  if (mind.reply?.gated) reopenIfUnheard(mind, 'perhaps');
  const { reply } = mind;
  if (!reply?.gated) return;
  reply.gated = false;
  pump(mind);
}
