import { CONSTANTS } from '../machine/constants.ts';
import type { Mind } from '../machine/mind.ts';
import { heardText } from './heard-text.ts';
import type { Reply } from './reply.ts';

/** What the caller heard of a reply, in its written form. */
export function heardOf(reply: Reply): string {
  return reply.utterances
    .map(
      (utterance) =>
        heardText({
          ...utterance,
          heardMs: utterance.playedMs,
          finished: utterance.state === 'done',
        }).text,
    )
    .filter((text) => text !== '')
    .join(' ');
}

/** Brings the transcript up to what was heard. */
export function showHeard(mind: Mind, frozen: boolean, reply = mind.reply, heard?: string): void {
  if (!reply) return;
  const text = heard ?? heardOf(reply);
  const before = reply.shown;
  if (text === '' || (text === before && !frozen)) return;
  reply.shown = text;
  const { messageId } = reply;
  if (before === undefined) {
    const at = reply.startedAt ?? mind.now;
    mind.emit({ type: 'transcript.append', message: { messageId, role: 'assistant', text, at } });
    reply.recordedAt = mind.now;
  }
  // A record that is read, or lost, in the middle of a reply is at most this much behind the ear.
  const stale = mind.now - reply.recordedAt >= CONSTANTS.recordEvery;
  if (stale) reply.recordedAt = mind.now;
  if (frozen || stale) mind.emit({ type: 'transcript.patch', messageId, text, frozen });
  mind.emit({ type: 'transcript.live', role: 'assistant', text, final: frozen });
}
