import { vocabularyOf } from '../language/vocabulary.ts';
import { sameWords } from '../language/words.ts';
import type { Effects } from '../machine/effects.ts';
import { unansweredIndex } from '../reply/conversation.ts';
import { startAnswer } from '../reply/generation.ts';
import { showHeard } from '../reply/heard-reply.ts';
import { nextId } from '../reply/next-id.ts';
import { silence } from '../reply/reply.ts';
import { startedAt } from '../reply/reply-phase.ts';
import { findSegment, setSegment, textOf, wordsFrom } from '../reply/segments.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';

export interface SttText {
  readonly type: 'stt.interim' | 'stt.final';
  readonly segId: string;
  readonly text: string;
  readonly startAt: number;
  readonly endAt: number;
}

export const isLate = (state: CallState, event: SttText) =>
  state.user.committed !== undefined &&
  event.endAt <= state.user.committed.at &&
  !state.user.voiced;

/** The text was said after the commit, by the recogniser's times. */
export const isAfterCommit = (state: CallState, event: SttText) =>
  state.user.committed !== undefined && event.endAt > state.user.committed.at;

/** C4, C6: adds text to a turn that is already committed. */
export function takeLateText(state: CallState, effects: Effects, event: SttText): void {
  const { committed } = state.user;
  const { reply } = state.assistant;
  if (
    !committed ||
    effects.now - committed.speechEndAt > CONSTANTS.lateWindowMs + CONSTANTS.mergeHeardMs
  )
    return;
  const before = textOf(committed.segments);
  const { segId, type } = event;
  const skipped = findSegment(committed.segments, segId)?.skipped ?? 0;
  const text = wordsFrom(event.text, skipped);
  setSegment(committed.segments, { segId, text, final: type === 'stt.final', skipped });
  const after = textOf(committed.segments);
  if (after === before || after === '') return;
  const same = sameWords(before, after, vocabularyOf(state.settings).language.fillers);
  patchUser(state, effects, committed.messageId, before, after, event.type === 'stt.final');
  const heardMs = effects.now - ((reply && startedAt(reply)) ?? effects.now);
  if (same || !reply || reply.kind !== 'answer' || heardMs >= CONSTANTS.mergeHeardMs) return;
  silence(state, effects, reply);
  // What the caller heard of it stays in the record.
  showHeard(state, effects, true, reply);
  state.assistant.reply = undefined;
  const notBefore = committed.speechEndAt + state.settings.startSpeaking.waitMs;
  startAnswer(state, effects, committed.turn, Math.max(effects.now, notBefore));
}

function patchUser(
  state: CallState,
  effects: Effects,
  messageId: string,
  before: string,
  after: string,
  frozen: boolean,
): void {
  const index = state.entries.findLastIndex(
    (entry) => entry.role === 'user' && entry.messageId === messageId,
  );
  const entry = state.entries[index];
  if (entry?.role !== 'user') return;
  const kept = entry.text.endsWith(before)
    ? entry.text.slice(0, entry.text.length - before.length)
    : '';
  state.entries[index] = { ...entry, text: `${kept}${after}` };
  const text = wholeText(state, messageId);
  effects.emit({ type: 'transcript.patch', messageId, text, frozen });
  effects.emit({ type: 'transcript.live', role: 'user', text, final: true });
}

// The record has one message, which words of the assistant may split in the model's context (B14).
const wholeText = (state: CallState, messageId: string) =>
  state.entries
    .flatMap((entry) =>
      entry.role === 'user' && entry.messageId === messageId ? [entry.text] : [],
    )
    .join(' ');

/** B14: adds to the message of a turn that goes on. */
export function continueMessage(
  state: CallState,
  effects: Effects,
  { messageId }: { readonly messageId: string },
  text: string,
): string {
  const index = unansweredIndex(state.entries);
  const last = state.entries[index];
  if (last?.role === 'user' && last.messageId === messageId) {
    state.entries[index] = { ...last, text: `${last.text} ${text}` };
  } else state.entries.push({ role: 'user', messageId, text, at: effects.now });
  const whole = wholeText(state, messageId);
  effects.emit({ type: 'transcript.patch', messageId, text: whole, frozen: true });
  return messageId;
}

/** C8: records a message, or extends the last one if the caller has heard nothing of the assistant since. */
export function recordUser(state: CallState, effects: Effects, text: string, at: number): string {
  const last = state.entries[unansweredIndex(state.entries)];
  // The model answered an incomplete turn meanwhile, and its words were never heard.
  if (last?.role === 'user') return continueMessage(state, effects, last, text);
  const messageId = `u${nextId(state, 'message')}`;
  state.entries.push({ role: 'user', messageId, text, at });
  effects.emit({ type: 'transcript.append', message: { messageId, role: 'user', text, at } });
  return messageId;
}
