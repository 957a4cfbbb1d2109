import { vocabularyOf } from '../language/vocabulary.ts';
import { contentWords } from '../language/words.ts';
import type { Effects } from '../machine/effects.ts';
import { nextId } from '../reply/next-id.ts';
import { endWaits } from '../reply/patience.ts';
import { remainingMs } from '../reply/playback.ts';
import { playedWords } from '../reply/played-words.ts';
import { beginReply, pump, silence } from '../reply/reply.ts';
import { startedAt, wasHeard } from '../reply/reply-phase.ts';
import { findSegment, setSegment, textOf, wordsFrom, wordsTaken } from '../reply/segments.ts';
import { CONSTANTS, sttGraceMs } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';
import type { OpenTurn } from '../state/user-turn.ts';
import { isForOthers, mayAskModel, noticeSoftWords } from './addressee.ts';
import { beginCallerHold } from './caller-hold.ts';
import { closeTurn } from './commit-turn.ts';
import { learnCutIn, survivePause } from './cut-ins.ts';
import { isEcho } from './echo.ts';
import { greets, noticeRequest } from './greeting.ts';
import { hearWords, isSaidFar, learnCallerLevel } from './near-voice.ts';
import { speechContentOf } from './speech-content.ts';
import { mayBeBackchannel, passOver } from './unlisted-backchannel.ts';
import { isAfterCommit, isLate, type SttText, takeLateText } from './user-message.ts';

export const turnText = (state: CallState) =>
  state.user.turn ? textOf(state.user.turn.segments) : '';

/** C1, C5: the caller's voice started. */
export function voiceStarted(state: CallState, effects: Effects, onsetAt: number): void {
  survivePause(state, onsetAt);
  state.user.voiced = true;
  openTurn(state, effects, onsetAt);
  if (state.user.turn) {
    state.user.turn.voiceStartAt = onsetAt;
    state.user.turn.judged = 'open';
    state.user.turn.asked = undefined;
    state.user.turn.predicted = undefined;
    state.user.turn.signalled = undefined;
  }
  effects.disarm('ungate');
  if (state.user.turn && welcomeIsDue(state, effects)) {
    state.user.turn.greeted = true;
    noticeRequest(state, effects, state.user.turn);
  }
  const screened = effects.chart.screening === 'listening';
  const { reply } = state.assistant;
  if (!reply || wasHeard(reply)) return;
  // W1: even a protected welcome waits a moment for a greeting to finish.
  if (reply.kind === 'welcome' && !screened) effects.armIn('ungate', CONSTANTS.welcomePauseMs);
  if (reply.kind === 'welcome' || !reply.isProtected) reply.gated = true;
}

const welcomeIsDue = (state: CallState, effects: Effects) =>
  effects.chart.welcome === 'due' ||
  (state.assistant.reply?.kind === 'welcome' && !wasHeard(state.assistant.reply));

export function openTurn(state: CallState, effects: Effects, at: number): OpenTurn {
  // B13 counts from the onset of speech, which voice activity reports late.
  const leftMs = state.assistant.reply
    ? remainingMs(effects, state.assistant.reply) + Math.max(0, effects.now - at)
    : Number.POSITIVE_INFINITY;
  state.user.turn ??= {
    turn: nextId(state, 'turn'),
    segments: [],
    openedAt: at,
    speechEndAt: at,
    voicedMs: 0,
    voiceStartAt: undefined,
    words: undefined,
    textAt: undefined,
    greeted: false,
    overlap:
      leftMs <= CONSTANTS.finishingMs ? 'finishing' : leftMs <= CONSTANTS.edgeMs ? 'edge' : 'none',
    continues: undefined,
    keyed: false,
    judged: 'open',
    drafts: 0,
    asked: undefined,
    predicted: undefined,
    signalled: undefined,
    backchannels: 0,
    addressee: { name: 'assistant' },
  };
  return state.user.turn;
}

/** K2: voice activity or the recogniser still hears the caller. */
export function voiceGoesOn(effects: Effects): void {
  if (effects.chart.user === 'speaking') effects.armIn('voiceAlive', CONSTANTS.voiceSilenceMs);
}

/** C2, K2: the caller pauses. */
export function voiceStopped(state: CallState, effects: Effects, speechEndAt: number): void {
  state.user.voiced = false;
  const { turn } = state.user;
  if (!turn) return;
  turn.speechEndAt = Math.max(turn.speechEndAt, speechEndAt);
  if (turn.voiceStartAt !== undefined)
    turn.voicedMs += Math.max(0, speechEndAt - turn.voiceStartAt);
  turn.voiceStartAt = undefined;
  if (effects.chart.screening === 'classifying') return;
  ungateAfter(effects, turn, graceMs(state, turn));
}

// W1: a greeting that is known needs no time for more words.
const graceMs = (state: CallState, turn: OpenTurn) =>
  turn.greeted && turn.segments.length > 0 && greets(state, textOf(turn.segments))
    ? 0
    : sttGraceMs(state.settings.sttP99Ms);

/** C5: opens the gate when the recogniser has had time for its last words. */
const ungateAfter = (effects: Effects, { speechEndAt }: OpenTurn, ms: number) =>
  effects.arm('ungate', Math.max(effects.now, speechEndAt + ms));

/** Adds recognised text to the open turn, or to the committed one that it belongs to. */
export function takeText(state: CallState, effects: Effects, event: SttText): void {
  const far = isOwnVoice(state, effects, event) ? 'surely' : farOf(state, effects, event);
  if (far === 'surely') return;
  hearWords(state, effects, event.type === 'stt.interim');
  if (event.type === 'stt.final' && far === 'no') learnCallerLevel(state, effects, event);
  const before = findSegment(state.user.committed?.segments, event.segId);
  const skipped = before ? wordsTaken(before) : 0;
  const text = wordsFrom(event.text, skipped);
  // A segment that grows after the commit belongs to the open turn, and opens one if it was said after the commit.
  const grows = before !== undefined && text !== '' && isAfterCommit(state, event);
  const late = before
    ? !(state.user.turn && text !== '') && !grows
    : !state.user.turn && isLate(state, event);
  if (late) {
    takeLateText(state, effects, event);
    return;
  }
  if (!state.user.turn) {
    if (text.trim() === '') return;
    openTurn(state, effects, event.endAt);
    effects.raise('internal.turnOpened');
  }
  const turn = state.user.turn as OpenTurn;
  if (far === 'perhaps') noticeSoftWords(turn);
  const { segId, type } = event;
  setSegment(turn.segments, { segId, text, final: type === 'stt.final', skipped });
  turn.textAt = effects.now;
  turn.words = {
    from: Math.min(turn.words?.from ?? event.startAt, event.startAt),
    to: Math.max(turn.words?.to ?? event.endAt, event.endAt),
  };
  if (!state.user.voiced)
    turn.speechEndAt = Math.max(turn.speechEndAt, Math.min(effects.now, event.endAt));
  effects.emit({
    type: 'transcript.live',
    role: 'user',
    text: textOf(turn.segments),
    final: false,
  });
  noticeRequest(state, effects, turn);
  if (grows && !state.user.voiced) gateUntilSettled(state, effects, turn);
  if (turn.greeted && !state.user.voiced) ungateAfter(effects, turn, graceMs(state, turn));
  reopenIfUnheard(state, effects);
}

// A4: new words also mean that the caller goes on.
function gateUntilSettled(state: CallState, effects: Effects, turn: OpenTurn): void {
  const { reply } = state.assistant;
  if (!reply || wasHeard(reply) || reply.isProtected) return;
  reply.gated = true;
  ungateAfter(effects, turn, sttGraceMs(state.settings.sttP99Ms));
}

function isOwnVoice(state: CallState, effects: Effects, { text, startAt }: SttText): boolean {
  if (!isEcho({ text, startAt, played: playedWords(state, effects) })) return false;
  effects.emit({ type: 'log', note: 'echo', data: { text } });
  return true;
}

/** L4: words of somebody else are not part of the turn. B17: the model may judge those that are nearly loud enough. */
function farOf(state: CallState, effects: Effects, event: SttText): 'no' | 'perhaps' | 'surely' {
  const { turn, committed, heard } = state.user;
  const isKnown = [turn, committed].some((each) => findSegment(each?.segments, event.segId));
  if (isKnown) return 'no';
  const { perhaps, surely } = mayAskModel(state, effects)
    ? CONSTANTS.askedWordsDb
    : CONSTANTS.farWordsDb;
  if (!isSaidFar(state, effects, event, perhaps)) return 'no';
  if (!isSaidFar(state, effects, event, surely)) return 'perhaps';
  if (event.type === 'stt.final') {
    heard.ignored++;
    effects.emit({ type: 'log', note: 'said in the background', data: { text: event.text } });
  }
  return 'surely';
}

// C5: words cancel a reply that was not heard yet; mere sound does not.
function reopenIfUnheard(
  state: CallState,
  effects: Effects,
  atLeast: 'perhaps' | 'sure' = 'sure',
): void {
  const { reply } = state.assistant;
  if (!reply || wasHeard(reply) || reply.isProtected) return;
  const { content } = speechContentOf(state);
  if (content === 'none' || (content === 'perhaps' && atLeast === 'sure')) return;
  if (state.user.turn?.greeted) return;
  if (reply.kind === 'say') return;
  if (reply.kind === 'answer') learnUnheard(state);
  cancelUnheard(state, effects);
}

// N7: only a pause in which the caller heard nothing of the assistant counts as a cut-in.
function learnUnheard(state: CallState): void {
  const { committed, turn } = state.user;
  if (!committed || !turn || turn.openedAt - committed.at >= CONSTANTS.cutInWindowMs) return;
  learnCutIn(state);
}

function cancelUnheard(state: CallState, effects: Effects): void {
  const { reply } = state.assistant;
  if (!reply) return;
  silence(state, effects, reply);
  state.assistant.reply = undefined;
  endWaits(state, effects);
  effects.raise('internal.replyOver');
}

/** B9, B13, B15: the caller spoke during a reply that goes on. Words with content wait for its end, up to a limit. */
export function waitForFloor(state: CallState, effects: Effects): void {
  const { turn } = state.user;
  const { reply } = state.assistant;
  if (!turn || reply?.phase.name === 'cut') return;
  // W4: a request made before a protected welcome is answered after it.
  if (reply?.kind === 'welcome' && turn.openedAt < (startedAt(reply) ?? effects.now)) return;
  const text = turnText(state);
  const { language, hints } = vocabularyOf(state.settings);
  // B17: the reply is held until the model's verdict, which needs the words.
  const isAsked = turn.addressee.name === 'asked';
  const isSlight = !isAsked && mayBeBackchannel(state, effects);
  if (isSlight) passOver(state, effects, turn);
  const counts =
    !isForOthers(state) &&
    (turn.overlap !== 'none' || (contentWords(text, language, hints).length > 0 && !isSlight));
  effects.arm(
    'contentExpiry',
    counts ? Math.max(effects.now, turn.speechEndAt + CONSTANTS.contentExpiryMs) : effects.now,
  );
}

/** C7: drops a turn without words, or without words that count. */
export function dropTurn(state: CallState, effects: Effects): void {
  const { turn } = state.user;
  closeTurn(state);
  ungate(state, effects);
  if (!turn) return;
  const text = textOf(turn.segments);
  if (text !== '') {
    effects.emit({ type: 'log', note: 'not heeded', data: { text } });
    effects.emit({ type: 'transcript.live', role: 'user', text: '', final: true });
    return;
  }
  effects.emit({ type: 'log', note: 'sound without words', data: { voicedMs: turn.voicedMs } });
  if (turn.voicedMs > CONSTANTS.musicAfterMs) beginCallerHold(state, effects);
  if (
    state.user.onHold ||
    turn.voicedMs < CONSTANTS.realUtteranceMs ||
    state.assistant.reply ||
    state.tools.awaited.length > 0
  )
    return;
  if (effects.chart.lifecycle !== 'ongoing' || state.user.misheard >= 2) return;
  state.user.misheard++;
  beginReply(state, effects, 'stock', { text: state.settings.lines.notUnderstood });
}

/** A4, C5: it was only noise, so the reply is played after all. */
export function ungate(state: CallState, effects: Effects): void {
  // Interim words that no final has revised by now count.
  if (state.assistant.reply?.gated) reopenIfUnheard(state, effects, 'perhaps');
  const { reply } = state.assistant;
  if (!reply?.gated) return;
  reply.gated = false;
  pump(state, effects);
}
