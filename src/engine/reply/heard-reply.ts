import type { Effects } from '../machine/effects.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';
import type { Reply } from '../state/reply.ts';
import type { Entry } from '../state/transcript.ts';
import { heardText } from './heard-text.ts';
import { startedAt } from './reply-phase.ts';

/** The part of a reply that the caller has heard, as it was written. */
export function heardPartOf(reply: Reply): string {
  return reply.utterances
    .map(
      (utterance) =>
        heardText({
          ...utterance,
          heardMs: utterance.playedMs,
          finished: utterance.stage === 'done',
        }).text,
    )
    .filter((text) => text !== '')
    .join(' ');
}

/** The conversation as it would be if the reply that is heard were cut off now. */
export function withHeardPart({ entries, assistant: { reply } }: CallState): readonly Entry[] {
  const text = reply ? heardPartOf(reply) : '';
  if (!reply || text === '') return entries;
  const { messageId } = reply;
  return [...entries, { role: 'assistant', messageId, text, at: 0, cut: true }];
}

/** Updates the transcript to what was heard. */
export function showHeard(
  state: CallState,
  effects: Effects,
  frozen: boolean,
  reply = state.assistant.reply,
  heard?: string,
): void {
  if (!reply) return;
  const text = heard ?? heardPartOf(reply);
  const before = reply.shown;
  if (text === '' || (text === before && !frozen)) return;
  reply.shown = text;
  const { messageId } = reply;
  if (before === undefined) {
    const at = startedAt(reply) ?? effects.now;
    effects.emit({
      type: 'transcript.append',
      message: { messageId, role: 'assistant', text, at },
    });
    reply.recordedAt = effects.now;
  }
  // Limits how far the record may lag behind the caller during a reply.
  const stale = effects.now - reply.recordedAt >= CONSTANTS.recordEveryMs;
  if (stale) reply.recordedAt = effects.now;
  if (frozen || stale) effects.emit({ type: 'transcript.patch', messageId, text, frozen });
  effects.emit({ type: 'transcript.live', role: 'assistant', text, final: frozen });
}
