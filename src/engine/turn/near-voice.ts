import { vocabularyOf } from '../language/vocabulary.ts';
import type { Effects } from '../machine/effects.ts';
import { wasHeard } from '../reply/reply-phase.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';
import type { HeardVoice } from '../state/heard-voice.ts';
import { isDeaf } from './floor.ts';
import { lastQuestion } from './last-question.ts';

/** L1: voice activity heard a voice; `db` is its level, where the session measures one. */
export function hearVoice(
  state: CallState,
  effects: Effects,
  { onsetAt, db }: { readonly onsetAt: number; readonly db?: number | undefined },
): void {
  const { heard } = state.user;
  heard.activeSince = onsetAt;
  if (db !== undefined) addLevel(heard, effects.now, onsetAt, db);
  // A word rises from its first sound, so a first level says less.
  const risenDb = db === undefined || heard.background ? db : db + CONSTANTS.onsetRiseDb;
  if (isFar(state, effects, risenDb)) return;
  beginNear(heard, onsetAt);
  effects.raise('internal.voiceStarted');
}

/** C10: what may become the caller's voice puts off a reply that has not begun, a few times and for a moment. */
export function hearMaybe(
  state: CallState,
  effects: Effects,
  { db }: { readonly db: number },
): void {
  const { reply } = state.assistant;
  if (isDeaf(state, effects) || isFar(state, effects, db + CONSTANTS.onsetRiseDb)) return;
  state.user.heard.maybeAt = effects.now;
  if (!reply || wasHeard(reply) || reply.isProtected) return;
  if (reply.putOff >= CONSTANTS.putOffMost) return;
  reply.putOff++;
  reply.notBefore = Math.max(reply.notBefore, effects.now + CONSTANTS.putOffMs);
}

/** L1: the voice became louder or softer, or went on for a while. */
export function hearLevel(
  state: CallState,
  effects: Effects,
  { sinceAt, db }: { readonly sinceAt: number; readonly db: number },
): void {
  const { heard } = state.user;
  if (heard.activeSince === undefined) return;
  addLevel(heard, effects.now, sinceAt, db);
  judgeAgain(state, effects, sinceAt);
}

/** L1: no voice is heard any more. */
export function hearSilence(
  state: CallState,
  effects: Effects,
  { speechEndAt }: { readonly speechEndAt: number },
): void {
  const { heard } = state.user;
  heard.activeSince = undefined;
  heard.endAt = speechEndAt;
  heard.near = false;
  heard.wordlessDb = undefined;
  effects.disarm('wordless');
  // The chart ignores it where the caller's voice had ended before.
  effects.raise('internal.voiceStopped');
}

function judgeAgain(state: CallState, effects: Effects, sinceAt: number): void {
  const { heard } = state.user;
  const db = heard.levels.at(-1)?.db;
  const far = isFar(state, effects, db);
  if (far && db !== undefined) followBackground(heard, effects.now, db);
  if (far === !heard.near) return;
  if (far) {
    leaveNear(effects, heard, sinceAt);
    return;
  }
  beginNear(heard, sinceAt);
  effects.emit({ type: 'stt.voice', voiced: true });
  effects.raise('internal.voiceStarted');
}

function beginNear(heard: HeardVoice, onsetAt: number): void {
  heard.near = true;
  heard.wordlessDb = undefined;
  heard.onsetAt = onsetAt;
}

function leaveNear(effects: Effects, heard: HeardVoice, endAt: number): void {
  heard.near = false;
  heard.endAt = endAt;
  effects.emit({ type: 'stt.voice', voiced: false });
  effects.raise('internal.voiceStopped');
}

function addLevel(heard: HeardVoice, now: number, sinceAt: number, db: number): void {
  const recent = heard.levels.filter((span) => now - span.sinceAt < CONSTANTS.levelMemoryMs);
  heard.levels = [...recent, { sinceAt, db }];
}

/** L1, L3: the level below which voice is not the caller's. */
function nearestDb(heard: HeardVoice, now: number, belowDb: number): number {
  const { callerDb, background } = heard;
  const isKnown = background && now - background.at < CONSTANTS.backgroundMs;
  const otherDb = Math.max(
    isKnown ? background.db : Number.NEGATIVE_INFINITY,
    heard.wordlessDb ?? Number.NEGATIVE_INFINITY,
  );
  const aboveDb = otherDb + CONSTANTS.backgroundMarginDb;
  if (callerDb === undefined) return aboveDb;
  return Math.max(callerDb - belowDb, Math.min(aboveDb, callerDb - CONSTANTS.surelyNearDb));
}

// Over a reply less is needed to be somebody else, since a voice wrongly taken for the caller's costs the reply; once
// words count (L4), the voice is theirs.
const isFar = ({ user, assistant }: CallState, { now }: Effects, db: number | undefined) => {
  const speaks = assistant.reply !== undefined && wasHeard(assistant.reply);
  const hasWords = user.turn !== undefined && user.turn.segments.length > 0;
  const belowDb = speaks && !hasWords ? CONSTANTS.farVoiceDb : CONSTANTS.farVoiceInTurnDb;
  return db !== undefined && db < nearestDb(user.heard, now, belowDb);
};

/** The mean level of what was said between two instants; undefined if no voice was measured then. */
function meanDb({ levels }: HeardVoice, from: number, to: number): number | undefined {
  const within = levels.filter(({ sinceAt }) => sinceAt >= from - 100 && sinceAt < to);
  if (within.length === 0) return undefined;
  const power = within.reduce((sum, { db }) => sum + 10 ** (db / 10), 0) / within.length;
  return 10 * Math.log10(power);
}

interface Said {
  readonly startAt: number;
  readonly endAt: number;
}

/**
 * L4: whether words were said by somebody else than the caller: they are too soft, and either a reply is heard or a
 * voice without words was as soft. Words that go on being so soft count.
 */
export function isSaidFar(
  state: CallState,
  effects: Effects,
  said: Said,
  belowDb: number,
): boolean {
  const { heard } = state.user;
  const { callerDb } = heard;
  const db = meanDb(heard, said.startAt, said.endAt);
  if (callerDb === undefined || db === undefined) return false;
  if (db >= nearestDb(heard, effects.now, belowDb)) return false;
  const { reply } = state.assistant;
  const matters = (reply && wasHeard(reply)) || heard.background !== undefined;
  return matters && heard.ignored < CONSTANTS.farWordsInARow;
}

/** L2: learns how loud the caller is from what they said. */
export function learnCallerLevel(state: CallState, effects: Effects, said: Said): void {
  const { heard } = state.user;
  const db = meanDb(heard, said.startAt, said.endAt);
  heard.ignored = 0;
  if (db === undefined) return;
  const { callerDb } = heard;
  const share =
    callerDb !== undefined && db < callerDb ? CONSTANTS.softerShare : CONSTANTS.louderShare;
  heard.callerDb = callerDb === undefined ? db : callerDb + share * (db - callerDb);
  // What was heard since the words ended may now be too soft.
  const since = heard.levels.find(({ sinceAt }) => sinceAt >= said.endAt)?.sinceAt;
  if (heard.activeSince !== undefined && since !== undefined) judgeAgain(state, effects, since);
}

/** L3: how loud the voice is that goes on although no word comes. */
function followBackground(heard: HeardVoice, now: number, db: number): void {
  const { background } = heard;
  if (!background || now - background.at >= CONSTANTS.backgroundMs) return;
  const share = CONSTANTS.backgroundShare;
  heard.background = { db: background.db + share * (db - background.db), at: now };
}

/** L3: the caller said words. */
export function hearWords(state: CallState, effects: Effects, isInterim: boolean): void {
  const { heard } = state.user;
  heard.wordsAt = effects.now;
  if (isInterim) heard.interims = true;
  awaitWords(state, effects);
}

/** L3: watches for words while a voice is heard. */
export function awaitWords(state: CallState, effects: Effects): void {
  const { heard } = state.user;
  if (heard.near && heard.interims && heard.levels.length > 0)
    effects.armIn('wordless', CONSTANTS.wordlessMs);
}

// A group of digits is one word that takes long to say.
const nearMs = ({ settings, assistant }: CallState) =>
  lastQuestion(assistant.lastHeard, vocabularyOf(settings).language).expectation
    ? CONSTANTS.wordlessDictationMs
    : CONSTANTS.wordlessNearMs;

/** L3: the voice has gone on without a new word: that is a pause, and after a while a voice in the background. */
export function voiceHasNoWords(state: CallState, effects: Effects): void {
  const { heard, turn } = state.user;
  const { now } = effects;
  if (heard.activeSince === undefined) return;
  const slowMs = Math.max(0, state.settings.sttP99Ms - CONSTANTS.quickSttMs);
  const wordsAt = Math.max(heard.wordsAt, heard.onsetAt);
  const db = meanDb(heard, Math.max(wordsAt, now - CONSTANTS.backgroundAfterMs), now);
  if (db === undefined) return;
  const backgroundAt = wordsAt + slowMs + CONSTANTS.backgroundAfterMs;
  const hasText = turn !== undefined && turn.segments.length > 0;
  // A voice as loud as the caller's may be theirs, and the recogniser late.
  const soundsNear = heard.callerDb === undefined || db >= heard.callerDb - CONSTANTS.surelyNearDb;
  // Such a recogniser may just have no words yet for what the caller says; a softer voice is still told apart.
  if (soundsNear && state.settings.sttSparseInterims) {
    effects.armIn('wordless', CONSTANTS.wordlessMs);
    return;
  }
  const pauseAt = wordsAt + slowMs + (soundsNear ? nearMs(state) : CONSTANTS.wordlessMs);
  if (now >= backgroundAt) heard.background = { db, at: now };
  else effects.arm('wordless', hasText && heard.near && now < pauseAt ? pauseAt : backgroundAt);
  if (!heard.near) return;
  const isPause = hasText && now >= pauseAt;
  if (isPause) heard.wordlessDb = db;
  if (!isPause && !isFar(state, effects, heard.levels.at(-1)?.db)) return;
  leaveNear(effects, heard, Math.min(now, Math.max(turn?.speechEndAt ?? 0, heard.onsetAt)));
}
