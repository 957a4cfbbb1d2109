import { CONSTANTS, sttGraceMs } from './constants.ts';
import type { Entry } from './conversation.ts';
import { expectedValue } from './dictation.ts';
import { asksYesNo, decideWait } from './endpointing.ts';
import { beginFarewell } from './farewell.ts';
import { startAnswer } from './generation.ts';
import type { Mind } from './mind.ts';
import { predictUnfinished } from './predictor.ts';
import { beginReply, normalise, pump, silence } from './reply.ts';
import { contentWords, sameWords, wordsOf } from './words.ts';

interface Segment {
  text: string;
  final: boolean;
}

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
}

/** What the caller last said, and what may still be changed of it. */
export interface CommittedTurn {
  readonly turn: number;
  readonly messageId: string;
  readonly segments: Map<string, Segment>;
  readonly at: number;
  readonly speechEndAt: number;
  readonly textAt: number | undefined;
}

export interface SttText {
  readonly type: 'stt.interim' | 'stt.final';
  readonly segId: string;
  readonly text: string;
  readonly endAt: number;
}

const textOf = (segments: ReadonlyMap<string, Segment>) =>
  [...segments.values()]
    .map((segment) => segment.text.trim())
    .filter((text) => text !== '')
    .join(' ');

export const turnText = (mind: Mind) => (mind.turn ? textOf(mind.turn.segments) : '');

/** C1, C5: the caller makes a sound. */
export function voiceStarted(mind: Mind, onsetAt: number): void {
  mind.voiced = true;
  openTurn(mind, onsetAt);
  if (mind.turn) mind.turn.voiceStartAt = onsetAt;
  mind.disarm('endpoint', 'noText', 'ungate', 'welcome');
  mind.armIn('voiceAlive', CONSTANTS.voiceSilence);
  const { reply } = mind;
  if (reply && reply.startedAt === undefined && !reply.isProtected) reply.gated = true;
}

function openTurn(mind: Mind, at: number): void {
  mind.turn ??= {
    turn: mind.next('turn'),
    segments: new Map(),
    openedAt: at,
    speechEndAt: at,
    voicedMs: 0,
    voiceStartAt: undefined,
    textAt: undefined,
  };
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
  const grace = sttGraceMs(mind.settings.sttP99Ms);
  mind.arm('ungate', Math.max(mind.now, turn.speechEndAt + grace));
}

/** The recogniser says (more of) what the caller said. */
export function takeText(mind: Mind, event: SttText): void {
  if (mind.voiced) mind.armIn('voiceAlive', CONSTANTS.voiceSilence);
  const late = mind.committed?.segments.has(event.segId) && !mind.turn?.segments.has(event.segId);
  if (late || (!mind.turn && isLate(mind, event))) {
    takeLateText(mind, event);
    return;
  }
  if (!mind.turn) {
    if (event.text.trim() === '') return;
    openTurn(mind, event.endAt);
    mind.raise('mind.turnOpened');
  }
  const turn = mind.turn as OpenTurn;
  turn.segments.set(event.segId, { text: event.text, final: event.type === 'stt.final' });
  turn.textAt = mind.now;
  if (!mind.voiced) turn.speechEndAt = Math.max(turn.speechEndAt, Math.min(mind.now, event.endAt));
  mind.emit({ type: 'transcript.live', role: 'user', text: textOf(turn.segments), final: false });
  reopenIfUnheard(mind);
}

const isLate = (mind: Mind, event: SttText) =>
  mind.committed !== undefined && event.endAt <= mind.committed.at && !mind.voiced;

// C5: words, not mere sound, take back a reply of which nothing was heard.
function reopenIfUnheard(mind: Mind): void {
  const { reply } = mind;
  if (!reply || reply.startedAt !== undefined || reply.isProtected) return;
  if (contentWords(turnText(mind), mind.language, mind.hints).length === 0) return;
  if (reply.kind === 'welcome' || reply.kind === 'answer' || reply.kind === 'idle') {
    cancelUnheard(mind);
  }
}

function cancelUnheard(mind: Mind): void {
  const { reply } = mind;
  if (!reply) return;
  silence(mind, reply);
  for (const [id, tool] of mind.tools) {
    if (!tool.invoked) mind.tools.delete(id);
  }
  mind.reply = undefined;
  mind.disarm('audioFloor', 'llmFirst', 'hang', 'filler', 'giveUp', 'toolGate', 'stall');
  mind.raise('mind.replyOver');
}

/** C4, C6: text of a turn that is already committed. */
function takeLateText(mind: Mind, event: SttText): void {
  const { committed, reply } = mind;
  if (!committed || mind.now - committed.speechEndAt > CONSTANTS.lateWindow + CONSTANTS.mergeHeard)
    return;
  const before = textOf(committed.segments);
  committed.segments.set(event.segId, { text: event.text, final: event.type === 'stt.final' });
  const after = textOf(committed.segments);
  if (after === before || after === '') return;
  const same = sameWords(before, after, mind.language.fillers);
  patchUser(mind, committed.messageId, before, after, event.type === 'stt.final');
  const heardMs = reply?.startedAt === undefined ? 0 : mind.now - reply.startedAt;
  if (same || !reply || reply.kind !== 'answer' || heardMs >= CONSTANTS.mergeHeard) return;
  silence(mind, reply);
  mind.reply = undefined;
  startAnswer(mind, committed.turn, committed.at + mind.settings.startSpeaking.waitMs);
}

function patchUser(
  mind: Mind,
  messageId: string,
  before: string,
  after: string,
  frozen: boolean,
): void {
  const index = mind.entries.findLastIndex(
    (entry) => entry.role === 'user' && entry.messageId === messageId,
  );
  const entry = mind.entries[index];
  if (entry?.role !== 'user') return;
  const kept = entry.text.endsWith(before)
    ? entry.text.slice(0, entry.text.length - before.length)
    : '';
  const text = `${kept}${after}`;
  mind.entries[index] = { ...entry, text };
  mind.emit({ type: 'transcript.patch', messageId, text, frozen });
  mind.emit({ type: 'transcript.live', role: 'user', text, final: true });
}

function decideTurnWait(mind: Mind, text: string): number {
  const { settings, language } = mind;
  const options = settings.startSpeaking;
  const expectation = expectedValue(mind.lastHeard, language);
  const askedYesNo = asksYesNo(mind.lastHeard, language);
  const about = { text, language, expectation, askedYesNo };
  const judged = options.smartEndpointing === 'predictor' && language.supported;
  return decideWait({
    ...about,
    options,
    hints: mind.hintPhrases,
    judgedOver: false,
    p: judged ? predictUnfinished({ ...about, expected: mind.settings.expected }) : undefined,
    cutInMs: 0,
  }).waitMs;
}

/** When the open turn counts as over (§3); re-armed on every change of its text. */
export function armEndpoint(mind: Mind): void {
  const { turn, settings } = mind;
  if (!turn) return;
  const text = textOf(turn.segments);
  const grace = sttGraceMs(settings.sttP99Ms);
  if (text === '') {
    mind.disarm('endpoint');
    mind.arm('noText', Math.max(mind.now, turn.speechEndAt + grace + CONSTANTS.noTextExtra));
    return;
  }
  mind.disarm('noText');
  const wait = decideTurnWait(mind, text);
  const open = [...turn.segments.values()].some((segment) => !segment.final);
  const textReadyAt = open ? turn.speechEndAt + grace : mind.now;
  mind.arm('endpoint', Math.max(mind.now, turn.speechEndAt + wait, open ? textReadyAt : 0));
}

/** C3, C8: the caller is done. */
export function commitTurn(mind: Mind): void {
  const { turn, settings } = mind;
  if (!turn) return;
  const text = textOf(turn.segments);
  mind.turn = undefined;
  mind.disarm('endpoint', 'noText', 'ungate');
  mind.idlePrompts = 0;
  mind.misheard = 0;
  const messageId = recordUser(mind, text, turn.openedAt);
  mind.committed = {
    turn: turn.turn,
    messageId,
    segments: turn.segments,
    at: mind.now,
    speechEndAt: turn.speechEndAt,
    textAt: turn.textAt,
  };
  mind.emit({ type: 'transcript.live', role: 'user', text, final: true });
  const notBefore = mind.now + settings.startSpeaking.waitMs;
  if (
    settings.endCall.enabled &&
    settings.endCall.phrases.some((phrase) => normalise(phrase) === normalise(text))
  ) {
    beginFarewell(mind, { reason: 'user-said-end-phrase', trigger: 'user' });
  } else if (isFirstGreeting(mind, text)) {
    beginReply(mind, 'welcome', { text: settings.welcome.message, notBefore });
  } else {
    startAnswer(mind, turn.turn, notBefore);
  }
}

// W2: who waits for the caller answers a mere greeting with the welcome.
function isFirstGreeting(mind: Mind, text: string): boolean {
  const { mode, message } = mind.settings.welcome;
  const first = mind.entries.filter((entry) => entry.role === 'user').length === 1;
  return (
    mode === 'assistant-waits-for-user' &&
    message !== '' &&
    first &&
    mind.language.greetings.covers(wordsOf(text)) &&
    !mind.entries.some((entry) => entry.role === 'assistant')
  );
}

function recordUser(mind: Mind, text: string, at: number): string {
  const index = mind.entries.findLastIndex(
    (entry) => entry.role === 'user' || (entry.role === 'assistant' && entry.text !== ''),
  );
  const last = mind.entries[index] as Entry | undefined;
  if (last?.role === 'user') {
    const joined = `${last.text} ${text}`;
    // What the model did meanwhile answers a turn that was not complete: its words were never heard.
    mind.entries[index] = { ...last, text: joined };
    mind.emit({ type: 'transcript.patch', messageId: last.messageId, text: joined, frozen: true });
    return last.messageId;
  }
  const messageId = `u${mind.next('message')}`;
  mind.entries.push({ role: 'user', messageId, text, at });
  mind.emit({ type: 'transcript.append', message: { messageId, role: 'user', text, at } });
  return messageId;
}

/** C7: sound without words. */
export function dropTurn(mind: Mind): void {
  const { turn } = mind;
  mind.turn = undefined;
  mind.disarm('endpoint', 'noText', 'ungate');
  ungate(mind);
  if (!turn) return;
  mind.emit({ type: 'log', note: 'sound without words', data: { voicedMs: turn.voicedMs } });
  if (turn.voicedMs < CONSTANTS.realUtterance || mind.reply || mind.tools.size > 0) return;
  if (mind.lifecycle !== 'ongoing' || mind.misheard >= 2) return;
  mind.misheard++;
  beginReply(mind, 'stock', { text: mind.settings.lines.notUnderstood });
}

/** A4, C5: it was only a noise; the reply comes after all. */
export function ungate(mind: Mind): void {
  const { reply } = mind;
  if (!reply?.gated) return;
  reply.gated = false;
  pump(mind);
}
