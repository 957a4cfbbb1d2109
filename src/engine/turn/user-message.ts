import { sameWords } from '../language/words.ts';
import { CONSTANTS } from '../machine/constants.ts';
import type { Mind } from '../machine/mind.ts';
import { unansweredIndex } from '../reply/conversation.ts';
import { startAnswer } from '../reply/generation.ts';
import { showHeard } from '../reply/heard-reply.ts';
import { silence } from '../reply/reply.ts';
import { type Segment, textOf, wordsFrom } from '../reply/segments.ts';

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
  readonly startAt: number;
  readonly endAt: number;
}

export const isLate = (mind: Mind, event: SttText) =>
  mind.committed !== undefined && event.endAt <= mind.committed.at && !mind.voiced;

/** Said since the commit, as far as the recogniser's times tell. */
export const isAfterCommit = (mind: Mind, event: SttText) =>
  mind.committed !== undefined && event.endAt > mind.committed.at;

/** C4, C6: text of a turn that is already committed. */
export function takeLateText(mind: Mind, event: SttText): void {
  const { committed, reply } = mind;
  if (!committed || mind.now - committed.speechEndAt > CONSTANTS.lateWindow + CONSTANTS.mergeHeard)
    return;
  const before = textOf(committed.segments);
  const { skipped = 0 } = committed.segments.get(event.segId) ?? {};
  const text = wordsFrom(event.text, skipped);
  committed.segments.set(event.segId, { text, final: event.type === 'stt.final', skipped });
  const after = textOf(committed.segments);
  if (after === before || after === '') return;
  const same = sameWords(before, after, mind.language.fillers);
  patchUser(mind, committed.messageId, before, after, event.type === 'stt.final');
  const heardMs = reply?.startedAt === undefined ? 0 : mind.now - reply.startedAt;
  if (same || !reply || reply.kind !== 'answer' || heardMs >= CONSTANTS.mergeHeard) return;
  silence(mind, reply);
  // A first word that was heard stays on the record.
  if (reply.shown !== undefined) showHeard(mind, true, reply);
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
  mind.entries[index] = { ...entry, text: `${kept}${after}` };
  const text = wholeText(mind, messageId);
  mind.emit({ type: 'transcript.patch', messageId, text, frozen });
  mind.emit({ type: 'transcript.live', role: 'user', text, final: true });
}

// For the record a message is one; for the model, a word of ours may stand in its middle (B14).
const wholeText = (mind: Mind, messageId: string) =>
  mind.entries
    .flatMap((entry) =>
      entry.role === 'user' && entry.messageId === messageId ? [entry.text] : [],
    )
    .join(' ');

/** B14: more of the message of a turn that goes on. */
export function continueMessage(
  mind: Mind,
  { messageId }: { readonly messageId: string },
  text: string,
): string {
  const index = unansweredIndex(mind.entries);
  const last = mind.entries[index];
  if (last?.role === 'user' && last.messageId === messageId) {
    mind.entries[index] = { ...last, text: `${last.text} ${text}` };
  } else mind.entries.push({ role: 'user', messageId, text, at: mind.now });
  const whole = wholeText(mind, messageId);
  mind.emit({ type: 'transcript.patch', messageId, text: whole, frozen: true });
  return messageId;
}

/** C8: a message of its own, or more of the last one when nothing of ours was heard since. */
export function recordUser(mind: Mind, text: string, at: number): string {
  const last = mind.entries[unansweredIndex(mind.entries)];
  // What the model did meanwhile answers a turn that was not complete: its words were never heard.
  if (last?.role === 'user') return continueMessage(mind, last, text);
  const messageId = `u${mind.next('message')}`;
  mind.entries.push({ role: 'user', messageId, text, at });
  mind.emit({ type: 'transcript.append', message: { messageId, role: 'user', text, at } });
  return messageId;
}
