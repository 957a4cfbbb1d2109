import { CONSTANTS } from '../machine/constants.ts';
import type { Mind } from '../machine/mind.ts';
import { freezeReply, pump, silence } from '../reply/reply.ts';

/** Y4: from now on nothing is heard of the assistant; what it was saying is held. */
export function muteAssistant(mind: Mind): void {
  if (mind.assistantMuted) return;
  mind.assistantMuted = true;
  if (mind.assistant !== 'speaking') return;
  mind.disarm('hold', 'stall');
  mind.emit({ type: 'play.hold' });
  mind.raise('mind.hold');
}

/** Y4: what is still held goes on, and what waited comes. */
export function unmuteAssistant(mind: Mind): void {
  if (!mind.assistantMuted) return;
  mind.assistantMuted = false;
  mind.disarm('muted');
  if (mind.assistant === 'held' && !mind.voiced) mind.raise('mind.release');
  pump(mind);
}

/** Runs after every event: a reply that a mute keeps back is kept for a while only. */
export function watchMute(mind: Mind): void {
  const keeps = mind.assistantMuted && mind.reply && mind.reply.interruptedAt === undefined;
  if (!keeps) mind.disarm('muted');
  else if (!mind.deadlines.has('muted')) mind.armIn('muted', CONSTANTS.mutedMax);
}

/** Y4: nobody wants it any more. */
export function dropMuted(mind: Mind): void {
  const { reply } = mind;
  if (!mind.assistantMuted || !reply) return;
  mind.emit({ type: 'log', note: 'muted reply dropped' });
  if (mind.assistant === 'held') {
    mind.raise('mind.interrupt');
    return;
  }
  silence(mind, reply);
  freezeReply(mind, reply, true);
  mind.raise('mind.replyOver');
}
